package concord.exporter;

import com.sun.tools.javac.code.Flags;
import com.sun.tools.javac.code.Kinds.Kind;
import com.sun.tools.javac.code.Symbol;
import com.sun.tools.javac.code.Symbol.ClassSymbol;
import com.sun.tools.javac.code.Symbol.MethodSymbol;
import com.sun.tools.javac.code.Symbol.VarSymbol;
import com.sun.tools.javac.code.Symtab;
import com.sun.tools.javac.code.Type;
import com.sun.tools.javac.code.TypeTag;
import com.sun.tools.javac.code.Types;
import com.sun.tools.javac.util.Context;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.ElementKind;

/**
 * The symbols and types of one compilation, numbered in the tables that all compilations share. A symbol gets its number
 * when it is first met and its description in `describeAll`, because describing one meets others.
 */
final class Symbols {
  final Types types;
  private final Symtab predefined;
  private final Tables tables;
  private final Map<Symbol, Integer> ids = new IdentityHashMap<>();
  private final ArrayDeque<Symbol> undescribed = new ArrayDeque<>();
  private final Set<Symbol> sourceClasses = Collections.newSetFromMap(new IdentityHashMap<>()); // outermost ones

  Symbols(Context context, Tables tables) {
    this.types = Types.instance(context);
    this.predefined = Symtab.instance(context);
    this.tables = tables;
  }

  /** Says that the class is declared in a source that is exported; what is known of it is then described anew. */
  void addSource(ClassSymbol outermost) {
    sourceClasses.add(outermost);
    for (Symbol symbol : ids.keySet()) {
      if (isFromSource(symbol)) undescribed.add(symbol);
    }
  }

  boolean isArrayLength(Symbol symbol) {
    return symbol == predefined.lengthVar;
  }

  // ---------------------------------------------------------------------------------------------------------- numbers

  int id(Symbol symbol) {
    if (symbol == null || symbol == predefined.noSymbol) return -1;
    Symbol base = symbol.baseSymbol();
    Integer known = ids.get(base);
    if (known != null) return known;
    String key = key(base);
    int id = key == null ? tables.freshSymbol() : tables.symbol(key);
    ids.put(base, id);
    undescribed.add(base);
    return id;
  }

  /** Null for what is known by its declaration only. */
  private String key(Symbol symbol) {
    if (symbol.kind == Kind.PCK) return "package " + symbol.flatName();
    if (symbol instanceof ClassSymbol) return "class " + symbol.flatName();
    if (!(symbol.owner instanceof ClassSymbol)) return null;
    String member = symbol.owner.flatName() + "." + symbol.name;
    if (!(symbol instanceof MethodSymbol)) return "field " + member;
    StringBuilder key = new StringBuilder("method ").append(member).append('(');
    for (Type parameter : symbol.erasure(types).getParameterTypes()) key.append(key(parameter)).append(',');
    return key.append(')').toString();
  }

  private String key(Type erased) {
    return erased.hasTag(TypeTag.ARRAY) ? key(types.erasure(types.elemtype(erased))) + "[]"
        : erased.hasTag(TypeTag.CLASS) ? "class " + erased.tsym.flatName()
        : erased.getTag().name();
  }

  int type(Type type) {
    if (type == null || type.hasTag(TypeTag.NONE) || type.hasTag(TypeTag.PACKAGE)) return -1;
    Type erased = types.erasure(type);
    int id = tables.type(key(erased));
    Tables.TypeRecord record = tables.types.get(id);
    if (record.kind == null) describe(erased, record);
    return id;
  }

  private void describe(Type erased, Tables.TypeRecord record) {
    record.text = text(erased);
    record.kind = "Other";
    if (erased.isPrimitive()) {
      record.kind = "Primitive";
      record.primitive = erased.getTag().name().charAt(0) + erased.getTag().name().substring(1).toLowerCase(Locale.ROOT);
    } else if (erased.hasTag(TypeTag.VOID)) {
      record.kind = "Void";
    } else if (erased.hasTag(TypeTag.BOT)) {
      record.kind = "Null";
    } else if (erased.hasTag(TypeTag.CLASS)) {
      record.kind = "Class";
      record.symbol = id(erased.tsym);
    } else if (erased.hasTag(TypeTag.ARRAY)) {
      record.kind = "Array";
      record.element = type(types.elemtype(erased));
    }
  }

  private String text(Type erased) {
    if (erased.hasTag(TypeTag.ARRAY)) return text(types.erasure(types.elemtype(erased))) + "[]";
    if (erased.hasTag(TypeTag.CLASS)) return qualified((ClassSymbol) erased.tsym);
    return erased.getTag().name().toLowerCase(Locale.ROOT).replace("bot", "null");
  }

  /** With dots; a local or anonymous class, and what is inside, has no such name and keeps its binary one. */
  private static String qualified(ClassSymbol symbol) {
    for (Symbol at = symbol; at instanceof ClassSymbol; at = at.owner) {
      if (at.name.isEmpty() || at.owner.kind == Kind.MTH || at.owner.kind == Kind.VAR) return symbol.flatName().toString();
    }
    return symbol.getQualifiedName().toString();
  }

  // ----------------------------------------------------------------------------------------------------- declarations

  /** Notes where the name of a symbol is declared; places in bytes. */
  void declare(Symbol symbol, int file, int begin, int end) {
    tables.symbols.get(id(symbol)).range = new int[] {file, begin, end};
  }

  void describeAll() {
    while (!undescribed.isEmpty()) {
      Symbol symbol = undescribed.remove();
      Tables.SymbolRecord record = tables.symbols.get(ids.get(symbol));
      boolean isFromSource = isFromSource(symbol);
      if (record.isFilled && (record.isFromSource || !isFromSource)) continue;
      record.isFilled = true;
      record.isFromSource = isFromSource;
      describe(symbol, record);
    }
  }

  private boolean isFromSource(Symbol symbol) {
    return sourceClasses.contains(outermost(symbol));
  }

  /** Null for packages. The class of arrays belongs to no package, which the compiler's own method does not expect. */
  private static Symbol outermost(Symbol symbol) {
    Symbol found = null;
    for (Symbol at = symbol; at != null && at.kind != Kind.PCK && at.kind != Kind.NIL; at = at.owner) found = at;
    return found;
  }

  private void describe(Symbol symbol, Tables.SymbolRecord record) {
    record.name = symbol.name.toString();
    record.flags.clear();
    if (record.isFromSource) record.flags.add("from_source");
    if (symbol.kind == Kind.PCK) {
      record.kind = "Package";
      record.name = symbol.flatName().toString();
    } else if (symbol instanceof ClassSymbol) {
      describeClass((ClassSymbol) symbol, record);
    } else if (symbol instanceof MethodSymbol) {
      describeMethod((MethodSymbol) symbol, record);
    } else if (symbol instanceof VarSymbol) {
      describeVariable((VarSymbol) symbol, record);
    }
  }

  private static void addFlags(Symbol symbol, Tables.SymbolRecord record, Map<String, Long> wanted) {
    wanted.forEach((name, bit) -> {
      if ((symbol.flags() & bit) != 0) record.flags.add(name);
    });
  }

  private static final Map<String, Long> COMMON_FLAGS = flags("static", Flags.STATIC, "final", Flags.FINAL, "public",
      Flags.PUBLIC, "protected", Flags.PROTECTED, "private", Flags.PRIVATE);
  private static final Map<String, Long> CLASS_FLAGS = flags("abstract", Flags.ABSTRACT, "interface", Flags.INTERFACE, "enum",
      Flags.ENUM, "record", Flags.RECORD, "annotation", Flags.ANNOTATION);
  private static final Map<String, Long> METHOD_FLAGS = flags("abstract", Flags.ABSTRACT, "synchronized", Flags.SYNCHRONIZED,
      "native", Flags.NATIVE, "varargs", Flags.VARARGS, "default", Flags.DEFAULT, "generated",
      Flags.GENERATEDCONSTR | Flags.GENERATED_MEMBER);
  private static final Map<String, Long> FIELD_FLAGS = flags("volatile", Flags.VOLATILE, "enum_constant", Flags.ENUM);

  private static Map<String, Long> flags(Object... pairs) {
    Map<String, Long> flags = new LinkedHashMap<>();
    for (int i = 0; i < pairs.length; i += 2) flags.put((String) pairs[i], ((Number) pairs[i + 1]).longValue());
    return flags;
  }

  private void describeClass(ClassSymbol symbol, Tables.SymbolRecord record) {
    complete(symbol);
    record.kind = "Class";
    record.qualified = qualified(symbol);
    record.top = outermost(symbol).flatName().toString();
    record.owner = owner(symbol);
    record.type = type(symbol.type);
    addFlags(symbol, record, COMMON_FLAGS);
    addFlags(symbol, record, CLASS_FLAGS);
    if (symbol.hasOuterInstance()) record.flags.add("outer_instance");
    if (symbol.owner.kind != Kind.PCK && symbol.owner.kind != Kind.TYP) record.flags.add("local");
    if (!symbol.isInterface()) record.superclass = id(types.supertype(symbol.type).tsym);
    for (Type each : types.interfaces(symbol.type)) record.interfaces.add(id(each.tsym));
    if (symbol.owner.kind != Kind.PCK && symbol.owner.enclClass() != null) record.outer = id(symbol.owner.enclClass());
    if (symbol.owner.kind == Kind.MTH && isMember(symbol.owner)) record.outerMethod = id(symbol.owner);
    if (record.isFromSource) {
      record.members = members(symbol);
      for (Type each : symbol.getPermittedSubclasses()) record.permits.add(id(each.tsym));
      if (!symbol.isInterface()) record.inherits = inherits(symbol);
    }
  }

  /** A class that cannot be loaded is described as far as it is known: the compiler did not need more either. */
  private static void complete(ClassSymbol symbol) {
    try {
      symbol.complete();
    } catch (Symbol.CompletionFailure missing) {
      // Nothing to add.
    }
  }

  private List<Integer> members(ClassSymbol symbol) {
    List<Integer> members = new ArrayList<>();
    for (Symbol member : symbol.members().getSymbols(com.sun.tools.javac.code.Scope.LookupKind.NON_RECURSIVE)) {
      if (member.kind == Kind.VAR || member.kind == Kind.MTH) members.add(id(member));
    }
    Collections.reverse(members);
    return members;
  }

  private int owner(Symbol symbol) {
    Symbol owner = symbol.owner;
    while (owner != null && (owner.kind == Kind.VAR || owner.kind == Kind.MTH && !isMember(owner))) owner = owner.owner;
    return owner == null || owner == predefined.rootPackage ? -1 : id(owner);
  }

  /** Initialisers and lambdas in them have stand-ins for methods, which are members of nothing. */
  private static boolean isMember(Symbol method) {
    for (Symbol same : method.owner.members().getSymbolsByName(method.name)) {
      if (same == method) return true;
    }
    return false;
  }

  private void describeMethod(MethodSymbol symbol, Tables.SymbolRecord record) {
    Type erased = symbol.erasure(types);
    record.kind = "Method";
    record.owner = owner(symbol);
    record.type = type(erased.getReturnType());
    addFlags(symbol, record, COMMON_FLAGS);
    addFlags(symbol, record, METHOD_FLAGS);
    if (record.flags.contains("default")) record.flags.remove("abstract"); // the compiler gives it both
    if (record.isFromSource && isOfEnum(symbol)) record.flags.add("generated");
    record.parameters = typeIds(erased.getParameterTypes());
    record.thrown = typeIds(erased.getThrownTypes());
    if (symbol.isConstructor() || symbol.isStatic() || (symbol.flags() & Flags.PRIVATE) != 0) return;
    for (MethodSymbol each : overridden(symbol)) record.overrides.add(id(each));
  }

  /** values() and valueOf(String), which no source declares. */
  private boolean isOfEnum(MethodSymbol symbol) {
    if ((symbol.owner.flags() & Flags.ENUM) == 0 || !symbol.isStatic()) return false;
    int parameters = symbol.type.getParameterTypes().size();
    return symbol.name.contentEquals("values") && parameters == 0
        || symbol.name.contentEquals("valueOf") && parameters == 1
            && types.isSameType(symbol.type.getParameterTypes().head, predefined.stringType);
  }

  private List<Integer> typeIds(Iterable<Type> list) {
    List<Integer> numbers = new ArrayList<>();
    for (Type each : list) numbers.add(type(each));
    return numbers;
  }

  private List<MethodSymbol> overridden(MethodSymbol symbol) {
    List<MethodSymbol> found = new ArrayList<>();
    if (!(symbol.owner instanceof ClassSymbol) || !symbol.owner.type.hasTag(TypeTag.CLASS)) return found;
    ClassSymbol owner = (ClassSymbol) symbol.owner;
    for (Type above : types.closure(owner.type)) {
      if (above.tsym == owner) continue;
      for (Symbol other : above.tsym.members().getSymbolsByName(symbol.name)) {
        if (other instanceof MethodSymbol && !other.isStatic() && symbol.overrides(other, owner, types, false)) {
          found.add((MethodSymbol) other);
        }
      }
    }
    return found;
  }

  /** Methods of interfaces that a class implements by a method it inherits, which does not override them by itself. */
  private List<int[]> inherits(ClassSymbol symbol) {
    List<int[]> pairs = new ArrayList<>();
    Set<Symbol> seen = new HashSet<>();
    for (Type above : types.closure(symbol.type)) {
      if ((above.tsym.flags() & Flags.INTERFACE) == 0) continue;
      for (Symbol member : above.tsym.members().getSymbols(com.sun.tools.javac.code.Scope.LookupKind.NON_RECURSIVE)) {
        if (!(member instanceof MethodSymbol) || member.isStatic() || !seen.add(member)) continue;
        MethodSymbol chosen = ((MethodSymbol) member).implementation(symbol, types, true);
        if (chosen == null || chosen == member || chosen.owner == symbol || chosen.owner.isInterface()) continue;
        if (!chosen.owner.isSubClass(member.owner, types)) pairs.add(new int[] {id(member), id(chosen)});
      }
    }
    return pairs;
  }

  private void describeVariable(VarSymbol symbol, Tables.SymbolRecord record) {
    record.kind = symbol.owner.kind == Kind.TYP ? "Field" : symbol.getKind() == ElementKind.PARAMETER ? "Parameter" : "Local";
    record.owner = owner(symbol);
    record.type = type(symbol.type);
    addFlags(symbol, record, COMMON_FLAGS);
    if (symbol.owner.kind == Kind.TYP) addFlags(symbol, record, FIELD_FLAGS);
    if ((symbol.flags() & (Flags.FINAL | Flags.EFFECTIVELY_FINAL)) != 0 && symbol.owner.kind != Kind.TYP) {
      record.flags.add("effectively_final");
    }
    record.constant = constant(symbol.getConstValue(), symbol.type);
  }

  // -------------------------------------------------------------------------------------------------------- constants

  /** A constant of the compiler as text; null for none. */
  static String constant(Object value, Type type) {
    if (value == null || type == null) return null;
    if (value instanceof Boolean || value instanceof String) return value.toString();
    if (value instanceof Character) return Integer.toString((Character) value);
    if (type.hasTag(TypeTag.BOOLEAN)) return ((Number) value).intValue() != 0 ? "true" : "false";
    return value.toString();
  }
}

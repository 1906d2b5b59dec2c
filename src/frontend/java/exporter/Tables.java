package concord.exporter;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Types and symbols by number. They are known by strings and not by the compiler's objects, so that two runs of the
 * compiler (the program against the JDK, stubs against each other) mean the same symbol by the same number.
 */
final class Tables {
  static final class TypeRecord {
    String kind;
    String primitive;
    int symbol = -1;
    int element = -1;
    String text;
  }

  static final class SymbolRecord {
    boolean isFilled;
    boolean isFromSource;
    String top = ""; // of a class: its outermost class, by binary name
    String kind = "Other";
    String name = "";
    String qualified = "";
    int owner = -1;
    int type = -1;
    final Set<String> flags = new LinkedHashSet<>();
    int superclass = -1;
    final Set<Integer> interfaces = new LinkedHashSet<>();
    final List<Integer> permits = new ArrayList<>();
    int outer = -1;
    int outerMethod = -1;
    List<Integer> members = List.of();
    List<Integer> parameters = List.of();
    final Set<Integer> overrides = new LinkedHashSet<>();
    List<int[]> inherits = List.of();
    List<Integer> thrown = List.of();
    String constant;
    int[] range; // file, begin, end
  }

  final List<TypeRecord> types = new ArrayList<>();
  final List<SymbolRecord> symbols = new ArrayList<>();
  private final Map<String, Integer> typeIds = new HashMap<>();
  private final Map<String, Integer> symbolIds = new HashMap<>();

  /** The number of the type with this key, new or not; a new one has no kind yet. */
  int type(String key) {
    return typeIds.computeIfAbsent(key, k -> {
      types.add(new TypeRecord());
      return types.size() - 1;
    });
  }

  int symbol(String key) {
    return symbolIds.computeIfAbsent(key, k -> freshSymbol());
  }

  /** The symbol with this key, or null. */
  SymbolRecord known(String key) {
    Integer id = symbolIds.get(key);
    return id == null ? null : symbols.get(id);
  }

  int freshSymbol() {
    symbols.add(new SymbolRecord());
    return symbols.size() - 1;
  }

  void write(Json json) {
    json.key("types").open('[');
    for (TypeRecord type : types) write(json, type);
    json.close(']').key("symbols").open('[');
    for (SymbolRecord symbol : symbols) write(json, symbol);
    json.close(']');
  }

  private static void write(Json json, TypeRecord type) {
    json.open('{').key("kind").value(type.kind);
    if (type.primitive != null) json.key("primitive").value(type.primitive);
    number(json, "symbol", type.symbol);
    number(json, "element", type.element);
    json.key("text").value(type.text).close('}');
  }

  private static void write(Json json, SymbolRecord symbol) {
    json.open('{').key("kind").value(symbol.kind).key("name").value(symbol.name);
    if (!symbol.qualified.isEmpty()) json.key("qualified").value(symbol.qualified);
    number(json, "owner", symbol.owner);
    number(json, "type", symbol.type);
    if (!symbol.flags.isEmpty()) {
      json.key("flags").open('[');
      for (String flag : symbol.flags) json.value(flag);
      json.close(']');
    }
    number(json, "superclass", symbol.superclass);
    numbers(json, "interfaces", symbol.interfaces);
    numbers(json, "permits", symbol.permits);
    number(json, "outer", symbol.outer);
    number(json, "outer_method", symbol.outerMethod);
    numbers(json, "members", symbol.members);
    numbers(json, "parameters", symbol.parameters);
    numbers(json, "overrides", symbol.overrides);
    if (!symbol.inherits.isEmpty()) {
      json.key("inherits").open('[');
      for (int[] pair : symbol.inherits) json.open('[').value(pair[0]).value(pair[1]).close(']');
      json.close(']');
    }
    numbers(json, "throws", symbol.thrown);
    if (symbol.constant != null) json.key("constant").value(symbol.constant);
    if (symbol.range != null) {
      json.key("range").open('[').value(symbol.range[0]).value(symbol.range[1]).value(symbol.range[2]).close(']');
    }
    json.close('}');
  }

  private static void number(Json json, String key, int id) {
    if (id >= 0) json.key(key).value(id);
  }

  private static void numbers(Json json, String key, Iterable<Integer> ids) {
    if (!ids.iterator().hasNext()) return;
    json.key(key).open('[');
    for (int id : ids) json.value(id);
    json.close(']');
  }
}

package concord.exporter;

import com.sun.source.tree.CaseTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.util.SourcePositions;
import com.sun.tools.javac.api.JavacTrees;
import com.sun.tools.javac.code.Flags;
import com.sun.tools.javac.code.Kinds.Kind;
import com.sun.tools.javac.code.Symbol;
import com.sun.tools.javac.code.Type;
import com.sun.tools.javac.code.TypeTag;
import com.sun.tools.javac.tree.JCTree;
import com.sun.tools.javac.tree.JCTree.*;
import com.sun.tools.javac.tree.TreeInfo;
import com.sun.tools.javac.tree.TreeScanner;
import com.sun.tools.javac.util.Context;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * The attributed tree of one file as JSON, one object per node: its kind, its range, what it has (docs/java-export.md).
 *
 * Parentheses are dropped, names of types appear as type numbers only. What the language defines by translation is written
 * out where the translation is a few nodes (a record's accessors and the assignments of its constructor), and left to the
 * reader where it is not.
 */
final class TreeWriter {
  private final Json json;
  private final Symbols symbols;
  private final SourceText file;
  private final JCCompilationUnit unit;
  private final SourcePositions positions;
  private final int mostNesting;
  private final Set<JCTree> laterDeclarators = Collections.newSetFromMap(new IdentityHashMap<>());
  private int depth;
  private Symbol.ClassSymbol enclosing;

  TreeWriter(Json json, Symbols symbols, SourceText file, JCCompilationUnit unit, Context context, int mostNesting) {
    this.json = json;
    this.symbols = symbols;
    this.file = file;
    this.unit = unit;
    this.positions = JavacTrees.instance(context).getSourcePositions();
    this.mostNesting = mostNesting;
  }

  // ----------------------------------------------------------------------------------------------------------- places

  private int begin(JCTree tree) {
    if (laterDeclarators.contains(tree)) return tree.pos;
    long at = positions.getStartPosition(unit, tree);
    return (int) Math.max(0, at < 0 ? tree.pos : at);
  }

  private int end(JCTree tree) {
    int begin = begin(tree);
    int end = (int) Math.max(begin, positions.getEndPosition(unit, tree));
    return tree instanceof JCVariableDecl && end > begin && file.isCommaBefore(end) ? end - 1 : end;
  }

  /** In `int a = 1, b = 2;` the compiler lets b begin at the type of a. */
  private void findLaterDeclarators(Iterable<? extends JCTree> list) {
    long type = -1;
    for (JCTree each : list) {
      JCTree own = each instanceof JCVariableDecl ? ((JCVariableDecl) each).vartype : null;
      long place = own == null ? -1 : positions.getStartPosition(unit, own);
      if (place >= 0 && place == type) laterDeclarators.add(each);
      type = place;
    }
  }

  private void range(String key, int begin, int end) {
    json.key(key).open('[').value(file.toByte(begin)).value(file.toByte(end)).close(']');
  }

  private void range(JCTree tree) {
    range("at", begin(tree), end(tree));
  }

  private void declare(Symbol symbol, int begin, int end) {
    symbols.declare(symbol, file.index, file.toByte(begin), file.toByte(end));
  }

  /** Of the name here, unless another one is here: what the compiler adds stands at some place of the source too. */
  private void declareAt(Symbol symbol, int begin) {
    String name = symbol.isConstructor() ? symbol.owner.name.toString() : symbol.name.toString();
    declare(symbol, begin, file.isIdentifierAt(name, begin) ? file.identifierEnd(begin) : begin);
  }

  // ---------------------------------------------------------------------------------------------------------- helpers

  private void openNode(String kind, JCTree tree) {
    if (++depth > mostNesting) throw Nesting.tooDeep(file, begin(tree), end(tree), mostNesting);
    json.open('{').key("k").value(kind);
    range(tree);
  }

  private void closeNode() {
    json.close('}');
    --depth;
  }

  private void id(String key, int id) {
    if (id >= 0) json.key(key).value(id);
  }

  private void truth(String key, boolean value) {
    if (value) json.key(key).value(true);
  }

  private void expr(String key, JCTree tree) {
    if (tree == null) return;
    json.key(key);
    expr(tree);
  }

  private void exprs(String key, Iterable<? extends JCTree> trees) {
    json.key(key).open('[');
    for (JCTree tree : trees) expr(tree);
    json.close(']');
  }

  private void stmt(String key, JCTree tree) {
    if (tree == null) return;
    json.key(key);
    stmt(tree);
  }

  private void stmts(String key, Iterable<? extends JCTree> trees) {
    findLaterDeclarators(trees);
    json.key(key).open('[');
    for (JCTree tree : trees) stmt(tree);
    json.close(']');
  }

  /** Whether the tree names a type or package, and so computes nothing. */
  private static boolean isType(JCTree tree) {
    switch (tree.getTag()) {
      case TYPEIDENT, TYPEARRAY, TYPEAPPLY, ANNOTATED_TYPE, TYPEUNION, TYPEINTERSECTION: return true;
      case IDENT, SELECT:
        Symbol symbol = TreeInfo.symbol(tree);
        return symbol != null && (symbol.kind == Kind.TYP || symbol.kind == Kind.PCK);
      default: return false;
    }
  }

  private static JCTree bare(JCTree tree) {
    JCTree at = tree;
    while (at instanceof JCParens || at instanceof JCUnary && at.hasTag(Tag.NULLCHK)) {
      at = at instanceof JCParens ? ((JCParens) at).expr : ((JCUnary) at).arg;
    }
    return at;
  }

  // ------------------------------------------------------------------------------------------------------ expressions

  private void expr(JCTree wrapped) {
    JCTree tree = bare(wrapped);
    switch (tree.getTag()) {
      case LITERAL -> literal((JCLiteral) tree);
      case IDENT -> name((JCIdent) tree);
      case SELECT -> select((JCFieldAccess) tree);
      case INDEXED -> index((JCArrayAccess) tree);
      case POS, NEG, NOT, COMPL, PREINC, PREDEC, POSTINC, POSTDEC -> unary((JCUnary) tree);
      case OR, AND, BITOR, BITXOR, BITAND, EQ, NE, LT, GT, LE, GE, SL, SR, USR, PLUS, MINUS, MUL, DIV, MOD ->
          binary((JCBinary) tree);
      case ASSIGN -> assign((JCAssign) tree);
      case BITOR_ASG, BITXOR_ASG, BITAND_ASG, SL_ASG, SR_ASG, USR_ASG, PLUS_ASG, MINUS_ASG, MUL_ASG, DIV_ASG, MOD_ASG ->
          compoundAssign((JCAssignOp) tree);
      case CONDEXPR -> conditional((JCConditional) tree);
      case APPLY -> call((JCMethodInvocation) tree);
      case NEWCLASS -> newClass((JCNewClass) tree, tree);
      case NEWARRAY -> newArray((JCNewArray) tree);
      case TYPECAST -> cast((JCTypeCast) tree);
      case TYPETEST -> instanceOf((JCInstanceOf) tree);
      case LAMBDA -> lambda((JCLambda) tree);
      case REFERENCE -> methodRef((JCMemberReference) tree);
      case SWITCH_EXPRESSION -> switchExpr((JCSwitchExpression) tree);
      default -> unsupported("UnsupportedExpr", tree, tree.getTag().name().toLowerCase(Locale.ROOT));
    }
  }

  private void unsupported(String kind, JCTree tree, String what) {
    openNode(kind, tree);
    json.key("what").value(what);
    if (kind.equals("UnsupportedExpr")) id("type", symbols.type(tree.type));
    closeNode();
  }

  private void openExpr(String kind, JCTree tree) {
    openExpr(kind, tree, tree);
  }

  private void openExpr(String kind, JCTree tree, JCTree place) {
    openNode(kind, place);
    id("type", symbols.type(tree.type));
    String constant = tree.type == null ? null : Symbols.constant(tree.type.constValue(), tree.type);
    if (constant != null) json.key("constant").value(constant);
  }

  private void literal(JCLiteral tree) {
    openExpr("Literal", tree);
    String kind = switch (tree.typetag) {
      case BOT -> "Null";
      case CLASS -> "String";
      default -> tree.typetag.name().charAt(0) + tree.typetag.name().substring(1).toLowerCase(Locale.ROOT);
    };
    json.key("kind").value(kind);
    String value = Symbols.constant(tree.value, tree.type);
    if (value != null) json.key("value").value(value);
    closeNode();
  }

  private static boolean isNamed(com.sun.tools.javac.util.Name name, String text) {
    return name.contentEquals(text);
  }

  private void thisOf(JCTree tree, Symbol meant) {
    openExpr("This", tree);
    id("class_symbol", symbols.id(meant));
    closeNode();
  }

  private void name(JCIdent tree) {
    if (isNamed(tree.name, "this") || isNamed(tree.name, "super")) {
      thisOf(tree, tree.sym.owner);
      return;
    }
    openExpr("Name", tree);
    id("symbol", symbols.id(tree.sym));
    closeNode();
  }

  private void select(JCFieldAccess tree) {
    if (isNamed(tree.name, "this")) {
      thisOf(tree, tree.selected.type.tsym);
    } else if (isNamed(tree.name, "super")) {
      // I.super of an interface is this object, seen as one of its own interfaces.
      thisOf(tree, tree.selected.type.tsym.isInterface() ? enclosing : tree.selected.type.tsym);
    } else if (isNamed(tree.name, "class")) {
      openExpr("ClassLiteral", tree);
      id("of", symbols.type(tree.selected.type));
      closeNode();
    } else {
      openExpr("Select", tree);
      if (!isType(tree.selected)) expr("object", tree.selected);
      if (symbols.isArrayLength(tree.sym)) truth("is_length", true);
      else id("symbol", symbols.id(tree.sym));
      closeNode();
    }
  }

  private void index(JCArrayAccess tree) {
    openExpr("Index", tree);
    expr("array", tree.indexed);
    expr("index", tree.index);
    closeNode();
  }

  private void unary(JCUnary tree) {
    openExpr("Unary", tree);
    json.key("op").value(switch (tree.getTag()) {
      case POS -> "Plus";
      case NEG -> "Minus";
      case NOT -> "Not";
      case COMPL -> "Complement";
      case PREINC -> "PreIncrement";
      case PREDEC -> "PreDecrement";
      case POSTINC -> "PostIncrement";
      default -> "PostDecrement";
    });
    expr("operand", tree.arg);
    closeNode();
  }

  private static String operator(Tag tag) {
    return switch (tag) {
      case PLUS -> "Add";
      case MINUS -> "Sub";
      case MUL -> "Mul";
      case DIV -> "Div";
      case MOD -> "Rem";
      case SL -> "Shl";
      case SR -> "Shr";
      case USR -> "Ushr";
      case LT -> "Lt";
      case LE -> "Le";
      case GT -> "Gt";
      case GE -> "Ge";
      case EQ -> "Eq";
      case NE -> "Ne";
      case BITAND -> "And";
      case BITOR -> "Or";
      case BITXOR -> "Xor";
      case AND -> "AndAnd";
      default -> "OrOr";
    };
  }

  /** What both sides are promoted to: the operator that the compiler chose says so. */
  private void operand(Symbol operator) {
    Type result = operator.type.getReturnType();
    boolean isConcatenation = result.hasTag(TypeTag.CLASS); // the only operator that yields an object
    id("operand", symbols.type(isConcatenation ? result : operator.type.getParameterTypes().head));
  }

  private void binary(JCBinary tree) {
    openExpr("Binary", tree);
    json.key("op").value(operator(tree.getTag()));
    operand(tree.operator);
    expr("left", tree.lhs);
    expr("right", tree.rhs);
    closeNode();
  }

  private void assign(JCAssign tree) {
    openExpr("Assign", tree);
    expr("target", tree.lhs);
    expr("value", tree.rhs);
    closeNode();
  }

  private void compoundAssign(JCAssignOp tree) {
    openExpr("CompoundAssign", tree);
    json.key("op").value(operator(tree.getTag().noAssignOp()));
    operand(tree.operator);
    expr("target", tree.lhs);
    expr("value", tree.rhs);
    closeNode();
  }

  private void conditional(JCConditional tree) {
    openExpr("Conditional", tree);
    expr("condition", tree.cond);
    expr("then", tree.truepart);
    expr("otherwise", tree.falsepart);
    closeNode();
  }

  private void call(JCMethodInvocation tree) {
    openExpr("Call", tree);
    JCTree method = bare(tree.meth);
    Symbol symbol = TreeInfo.symbol(method);
    id("method", symbols.id(symbol));
    JCTree receiver = method instanceof JCFieldAccess ? ((JCFieldAccess) method).selected : null;
    if (symbol.isConstructor()) {
      boolean isThis = isNamed(TreeInfo.name(method), "this");
      truth("is_this_constructor", isThis);
      truth("is_super", !isThis);
    } else {
      truth("is_super", receiver != null && isSuper(bare(receiver)));
    }
    if (receiver != null && !isType(receiver)) expr("receiver", receiver);
    arguments(tree.args, tree.varargsElement);
    closeNode();
  }

  private static boolean isSuper(JCTree tree) {
    return (tree instanceof JCIdent || tree instanceof JCFieldAccess) && isNamed(TreeInfo.name(tree), "super");
  }

  private void arguments(List<JCExpression> arguments, Type varargsElement) {
    if (!arguments.isEmpty()) exprs("arguments", arguments);
    id("varargs_element", symbols.type(varargsElement));
  }

  /** `place`: the tree itself, or the enum constant that it makes, because then it has no place of its own. */
  private void newClass(JCNewClass tree, JCTree place) {
    openExpr("New", tree, place);
    id("class_symbol", symbols.id(tree.constructor.owner));
    id("constructor", symbols.id(tree.constructor));
    expr("outer", tree.encl);
    arguments(tree.args, tree.varargsElement);
    if (tree.def != null) {
      int from = tree.clazz == null ? tree.pos : Math.max(tree.pos, end(tree.clazz));
      for (JCTree argument : tree.args) from = Math.max(from, end(argument));
      json.key("body");
      classDecl(tree.def, null, Math.max(from, tree.def.pos));
    }
    closeNode();
  }

  private void newArray(JCNewArray tree) {
    openExpr("NewArray", tree);
    Type element = symbols.types.elemtype(tree.type);
    id("element", symbols.type(element));
    if (!tree.dims.isEmpty()) exprs("dimensions", tree.dims);
    int dimensions = 0;
    for (Type at = tree.type; at.hasTag(TypeTag.ARRAY); at = symbols.types.elemtype(at)) ++dimensions;
    int extra = tree.elems == null ? dimensions - tree.dims.size() : 0;
    if (extra > 0) json.key("extra_dimensions").value(extra);
    if (tree.elems != null) exprs("initialisers", tree.elems);
    closeNode();
  }

  private void cast(JCTypeCast tree) {
    openExpr("Cast", tree);
    expr("operand", tree.expr);
    id("to", symbols.type(tree.clazz.type));
    closeNode();
  }

  private void instanceOf(JCInstanceOf tree) {
    JCVariableDecl binding = tree.pattern instanceof JCBindingPattern ? ((JCBindingPattern) tree.pattern).var : null;
    if (binding == null && !isType(tree.pattern)) {
      unsupported("UnsupportedExpr", tree, "this pattern");
      return;
    }
    openExpr("InstanceOf", tree);
    expr("operand", tree.expr);
    id("tested", symbols.type(binding == null ? tree.pattern.type : binding.sym.type));
    if (binding != null) {
      declareAt(binding.sym, binding.pos);
      id("binding", symbols.id(binding.sym));
    }
    closeNode();
  }

  private Symbol functionOf(Type target) {
    try {
      return symbols.types.findDescriptorSymbol(target.tsym);
    } catch (com.sun.tools.javac.code.Types.FunctionDescriptorLookupError none) {
      return null;
    }
  }

  private void lambda(JCLambda tree) {
    Type target = tree.target != null ? tree.target : tree.type;
    Symbol function = functionOf(target);
    if (function == null) {
      unsupported("UnsupportedExpr", tree, "a lambda expression of several interfaces");
      return;
    }
    openExpr("Lambda", tree);
    id("interface_symbol", symbols.id(symbols.types.erasure(target).tsym));
    id("method", symbols.id(function));
    parameters(tree.params);
    if (tree.body instanceof JCBlock) stmt("block", tree.body);
    else expr("expression", tree.body);
    closeNode();
  }

  private void methodRef(JCMemberReference tree) {
    Type target = tree.target != null ? tree.target : tree.type;
    Symbol function = functionOf(target);
    if (function == null || tree.varargsElement != null) {
      unsupported("UnsupportedExpr", tree,
          function == null ? "a method reference of several interfaces" : "a method reference that takes its arguments as an array");
      return;
    }
    openExpr("MethodRef", tree);
    id("interface_symbol", symbols.id(symbols.types.erasure(target).tsym));
    id("method", symbols.id(function));
    boolean isConstructor = tree.getMode() == MemberReferenceTree.ReferenceMode.NEW;
    boolean isArray = tree.expr.type.hasTag(TypeTag.ARRAY) && isConstructor;
    if (!isArray) id("target", symbols.id(tree.sym));
    truth("is_constructor", isConstructor);
    truth("is_super", isSuper(bare(tree.expr)));
    if (isType(tree.expr)) id("of", symbols.type(tree.expr.type));
    else expr("receiver", tree.expr);
    closeNode();
  }

  private void switchExpr(JCSwitchExpression tree) {
    if (!hasPlainCases(tree.cases)) {
      unsupported("UnsupportedExpr", tree, "a switch over patterns");
      return;
    }
    openExpr("SwitchExpr", tree);
    expr("selector", tree.selector);
    cases(tree.cases);
    closeNode();
  }

  // ----------------------------------------------------------------------------------------------------------- switch

  private static boolean isDefault(JCTree label) {
    return label instanceof JCDefaultCaseLabel || label instanceof JCIdent && isNamed(((JCIdent) label).name, "default");
  }

  /** Every label is a constant or `default`; compilers differ in how they wrap constants, hence the counting. */
  private static boolean hasPlainCases(List<JCCase> cases) {
    for (JCCase each : cases) {
      int plain = each.getExpressions().size();
      for (JCTree label : each.labels) plain += label instanceof JCDefaultCaseLabel ? 1 : 0;
      if (plain != each.labels.size()) return false;
    }
    return true;
  }

  private void cases(List<JCCase> cases) {
    json.key("cases").open('[');
    for (JCCase each : cases) {
      json.open('{');
      range(each);
      boolean isDefault = false;
      for (JCTree label : each.labels) isDefault |= isDefault(label);
      exprs("labels", each.getExpressions());
      truth("is_default", isDefault);
      truth("is_arrow", each.getCaseKind() == CaseTree.CaseKind.RULE);
      stmts("body", each.stats);
      json.close('}');
    }
    json.close(']');
  }

  // ------------------------------------------------------------------------------------------------------- statements

  private void stmt(JCTree tree) {
    switch (tree.getTag()) {
      case BLOCK -> block((JCBlock) tree, null);
      case VARDEF -> localVar((JCVariableDecl) tree);
      case CLASSDEF -> localClass((JCClassDecl) tree);
      case EXEC -> exprStmt(tree, ((JCExpressionStatement) tree).expr);
      case IF -> ifStmt((JCIf) tree);
      case WHILELOOP -> whileStmt((JCWhileLoop) tree);
      case DOLOOP -> doWhile((JCDoWhileLoop) tree);
      case FORLOOP -> forStmt((JCForLoop) tree);
      case FOREACHLOOP -> forEach((JCEnhancedForLoop) tree);
      case LABELLED -> labeled((JCLabeledStatement) tree);
      case SWITCH -> switchStmt((JCSwitch) tree);
      case RETURN -> valueStmt("Return", tree, ((JCReturn) tree).expr);
      case BREAK -> jump("Break", tree, ((JCBreak) tree).label);
      case CONTINUE -> jump("Continue", tree, ((JCContinue) tree).label);
      case YIELD -> valueStmt("Yield", tree, ((JCYield) tree).value);
      case THROW -> valueStmt("Throw", tree, ((JCThrow) tree).expr);
      case TRY -> tryStmt((JCTry) tree);
      case SYNCHRONIZED -> synchronizedStmt((JCSynchronized) tree);
      case ASSERT -> assertStmt((JCAssert) tree);
      case SKIP -> {
        openNode("Empty", tree);
        closeNode();
      }
      default -> unsupported("UnsupportedStmt", tree, tree.getTag().name().toLowerCase(Locale.ROOT));
    }
  }

  /** `after`: what is written as further statements, if not null. */
  private void block(JCBlock tree, Runnable after) {
    openNode("Block", tree);
    findLaterDeclarators(tree.stats);
    json.key("statements").open('[');
    for (JCTree each : tree.stats) stmt(each);
    if (after != null) after.run();
    json.close(']');
    int end = end(tree);
    range("end", Math.max(begin(tree), end - 1), end);
    closeNode();
  }

  private void localVar(JCVariableDecl tree) {
    declareAt(tree.sym, tree.pos);
    openNode("LocalVar", tree);
    id("symbol", symbols.id(tree.sym));
    expr("init", tree.init);
    closeNode();
  }

  private void localClass(JCClassDecl tree) {
    openNode("LocalClass", tree);
    json.key("declaration");
    classDecl(tree, null, -1);
    closeNode();
  }

  private void exprStmt(JCTree tree, JCTree expression) {
    openNode("ExprStmt", tree);
    expr("expression", expression);
    closeNode();
  }

  private void ifStmt(JCIf tree) {
    openNode("If", tree);
    expr("condition", tree.cond);
    stmt("then", tree.thenpart);
    stmt("otherwise", tree.elsepart);
    closeNode();
  }

  private void whileStmt(JCWhileLoop tree) {
    openNode("While", tree);
    expr("condition", tree.cond);
    stmt("body", tree.body);
    closeNode();
  }

  private void doWhile(JCDoWhileLoop tree) {
    openNode("DoWhile", tree);
    stmt("body", tree.body);
    expr("condition", tree.cond);
    closeNode();
  }

  private void forStmt(JCForLoop tree) {
    openNode("For", tree);
    stmts("init", tree.init);
    expr("condition", tree.cond);
    stmts("update", tree.step);
    stmt("body", tree.body);
    closeNode();
  }

  private void forEach(JCEnhancedForLoop tree) {
    declareAt(tree.var.sym, tree.var.pos);
    openNode("ForEach", tree);
    id("variable", symbols.id(tree.var.sym));
    expr("collection", tree.expr);
    stmt("body", tree.body);
    closeNode();
  }

  private void labeled(JCLabeledStatement tree) {
    openNode("Labeled", tree);
    json.key("label").value(tree.label.toString());
    stmt("body", tree.body);
    closeNode();
  }

  private void switchStmt(JCSwitch tree) {
    if (!hasPlainCases(tree.cases)) {
      unsupported("UnsupportedStmt", tree, "a switch over patterns");
      return;
    }
    openNode("Switch", tree);
    expr("selector", tree.selector);
    cases(tree.cases);
    closeNode();
  }

  private void valueStmt(String kind, JCTree tree, JCTree value) {
    openNode(kind, tree);
    expr("value", value);
    closeNode();
  }

  private void jump(String kind, JCTree tree, com.sun.tools.javac.util.Name label) {
    openNode(kind, tree);
    if (label != null) json.key("label").value(label.toString());
    closeNode();
  }

  private void tryStmt(JCTry tree) {
    openNode("Try", tree);
    if (!tree.resources.isEmpty()) {
      json.key("resources").open('[');
      for (JCTree each : tree.resources) {
        if (each instanceof JCVariableDecl) localVar((JCVariableDecl) each);
        else exprStmt(each, each);
      }
      json.close(']');
    }
    stmt("body", tree.body);
    json.key("catches").open('[');
    for (JCCatch each : tree.catchers) catchClause(each);
    json.close(']');
    stmt("finally", tree.finalizer);
    closeNode();
  }

  private void catchClause(JCCatch tree) {
    declareAt(tree.param.sym, tree.param.pos);
    json.open('{');
    range(tree);
    id("variable", symbols.id(tree.param.sym));
    json.key("types").open('[');
    if (tree.param.vartype instanceof JCTypeUnion) {
      for (JCTree each : ((JCTypeUnion) tree.param.vartype).alternatives) json.value(symbols.type(each.type));
    } else {
      json.value(symbols.type(tree.param.sym.type));
    }
    json.close(']');
    stmt("body", tree.body);
    json.close('}');
  }

  private void synchronizedStmt(JCSynchronized tree) {
    openNode("Synchronized", tree);
    expr("lock", tree.lock);
    stmt("body", tree.body);
    closeNode();
  }

  private void assertStmt(JCAssert tree) {
    openNode("Assert", tree);
    expr("condition", tree.cond);
    expr("detail", tree.detail);
    closeNode();
  }

  // ----------------------------------------------------------------------------------------------------- declarations

  void unit() {
    json.open('{').key("file").value(file.index).key("classes").open('[');
    for (JCTree each : unit.defs) {
      if (each instanceof JCClassDecl) classDecl((JCClassDecl) each, null, -1);
    }
    json.close(']').key("comments").open('[');
    for (SourceText.Comment each : file.comments.values()) {
      json.open('[').value(file.toByte(each.begin())).value(file.toByte(each.end())).value(each.isLine()).close(']');
    }
    json.close(']');
    localAnnotations();
    json.close('}');
  }

  /** `kind`: among members, where others are told apart by it. `from`: where an anonymous class may have its brace, or -1. */
  private void classDecl(JCClassDecl tree, String kind, int from) {
    Symbol.ClassSymbol around = enclosing;
    enclosing = tree.sym;
    if (++depth > mostNesting) throw Nesting.tooDeep(file, begin(tree), end(tree), mostNesting);
    json.open('{');
    if (kind != null) json.key("k").value(kind);
    range(tree);
    id("symbol", symbols.id(tree.sym));
    int brace = from >= 0 ? file.find("{", from) : braceOf(tree, declareClass(tree));
    range("body", brace < 0 ? begin(tree) : brace, end(tree));
    if (from >= 0) declare(tree.sym, tree.pos, tree.pos);
    annotations(tree.mods);
    findLaterDeclarators(tree.defs);
    json.key("members").open('[');
    for (JCTree each : tree.defs) member(each);
    if ((tree.sym.flags() & Flags.RECORD) != 0) accessors(tree);
    json.close(']').close('}');
    --depth;
    enclosing = around;
  }

  /** The name follows the keyword, at which the compiler puts the class. Returns where the name ends. */
  private int declareClass(JCClassDecl tree) {
    int keyword = tree.mods.pos >= 0 ? Math.max(tree.pos, end(tree.mods)) : tree.pos;
    int begin = file.findIdentifier(tree.name.toString(), keyword);
    if (begin < 0 || begin > end(tree)) begin = tree.pos;
    declareAt(tree.sym, begin);
    return file.identifierEnd(begin);
  }

  /** Annotations in the head of a class may have braces of their own, so the head's parts are passed over. */
  private int braceOf(JCClassDecl tree, int nameEnd) {
    int from = nameEnd;
    for (JCTree each : tree.typarams) from = Math.max(from, end(each));
    if (tree.extending != null) from = Math.max(from, end(tree.extending));
    for (JCTree each : tree.implementing) from = Math.max(from, end(each));
    for (JCTree each : tree.permitting) from = Math.max(from, end(each));
    for (JCTree each : tree.defs) {
      boolean isComponent = each instanceof JCVariableDecl && isComponent((JCVariableDecl) each);
      if (isComponent) from = Math.max(from, end(each));
    }
    return file.find("{", from);
  }

  private static boolean isComponent(JCVariableDecl tree) {
    return (tree.sym.flags() & Flags.RECORD) != 0 && (tree.sym.flags() & Flags.STATIC) == 0;
  }

  private void member(JCTree tree) {
    if (tree instanceof JCVariableDecl) field((JCVariableDecl) tree);
    else if (tree instanceof JCMethodDecl) method((JCMethodDecl) tree);
    else if (tree instanceof JCClassDecl) classDecl((JCClassDecl) tree, "Class", -1);
    else if (tree instanceof JCBlock) initialiser((JCBlock) tree);
  }

  private void field(JCVariableDecl tree) {
    declareAt(tree.sym, tree.pos);
    openNode("Field", tree);
    id("symbol", symbols.id(tree.sym));
    if ((tree.sym.flags() & Flags.ENUM) != 0 && tree.init instanceof JCNewClass) {
      json.key("init");
      newClass((JCNewClass) tree.init, tree);
    } else {
      expr("init", tree.init);
    }
    annotations(tree.mods);
    closeNode();
  }

  private void initialiser(JCBlock tree) {
    openNode("Initialiser", tree);
    truth("is_static", tree.isStatic());
    json.key("body");
    block(tree, null);
    closeNode();
  }

  private void method(JCMethodDecl tree) {
    boolean isGenerated = (tree.sym.flags() & (Flags.GENERATEDCONSTR | Flags.GENERATED_MEMBER)) != 0;
    if (isGenerated) declare(tree.sym, tree.pos, tree.pos);
    else declareAt(tree.sym, tree.pos);
    openNode("Method", tree);
    id("symbol", symbols.id(tree.sym));
    parameters(tree.params);
    if (tree.body != null) {
      json.key("body");
      block(tree.body, assignsComponents(tree) ? () -> componentAssignments(tree) : null);
    }
    annotations(tree.mods);
    closeNode();
  }

  private void parameters(List<JCVariableDecl> parameters) {
    if (parameters.isEmpty()) return;
    json.key("parameters").open('[');
    for (JCVariableDecl each : parameters) {
      declareAt(each.sym, each.pos);
      json.open('{');
      id("symbol", symbols.id(each.sym));
      range(each);
      json.close('}');
    }
    json.close(']');
  }

  // ---------------------------------------------------------------------------------------------------------- records

  /** The canonical constructor of a record, if it has no body or a compact one, ends by assigning every component. */
  private static boolean assignsComponents(JCMethodDecl tree) {
    long flags = tree.sym.flags();
    boolean isGenerated = (flags & Flags.GENERATEDCONSTR) != 0 && (flags & Flags.RECORD) != 0;
    return tree.sym.isConstructor() && (isGenerated || (flags & Flags.COMPACT_RECORD_CONSTRUCTOR) != 0)
        && (tree.sym.owner.flags() & Flags.RECORD) != 0;
  }

  private void componentAssignments(JCMethodDecl tree) {
    for (JCVariableDecl parameter : tree.params) {
      Symbol field = component(tree.sym.owner, parameter.name);
      openNode("ExprStmt", parameter);
      json.key("expression");
      openNode("Assign", parameter);
      id("type", symbols.type(field.type));
      json.key("target");
      openNode("Select", parameter);
      id("type", symbols.type(field.type));
      json.key("object");
      openNode("This", parameter);
      id("type", symbols.type(tree.sym.owner.type));
      id("class_symbol", symbols.id(tree.sym.owner));
      closeNode();
      id("symbol", symbols.id(field));
      closeNode();
      json.key("value");
      nameOf(parameter.sym, parameter);
      closeNode();
      closeNode();
    }
  }

  private static Symbol component(Symbol record, com.sun.tools.javac.util.Name name) {
    return record.members().findFirst(name, symbol -> symbol.kind == Kind.VAR);
  }

  private void nameOf(Symbol symbol, JCTree place) {
    openNode("Name", place);
    id("type", symbols.type(symbol.type));
    id("symbol", symbols.id(symbol));
    closeNode();
  }

  /** Those that the source does not declare; the compiler has a symbol for each but no tree. */
  private void accessors(JCClassDecl tree) {
    for (JCTree each : tree.defs) {
      if (!(each instanceof JCVariableDecl) || !isComponent((JCVariableDecl) each)) continue;
      JCVariableDecl component = (JCVariableDecl) each;
      for (Symbol accessor : tree.sym.members().getSymbolsByName(component.name)) {
        boolean isGenerated = (accessor.flags() & Flags.GENERATED_MEMBER) != 0;
        if (accessor.kind != Kind.MTH || !isGenerated || !accessor.type.getParameterTypes().isEmpty()) continue;
        declare(accessor, component.pos, component.pos);
        openNode("Method", component);
        id("symbol", symbols.id(accessor));
        json.key("body");
        openNode("Block", component);
        json.key("statements").open('[');
        openNode("Return", component);
        json.key("value");
        nameOf(component.sym, component);
        closeNode();
        json.close(']');
        range("end", end(component), end(component));
        closeNode();
        closeNode();
      }
    }
  }

  // ------------------------------------------------------------------------------------------------------ annotations

  private void annotations(JCModifiers modifiers) {
    annotations("annotations", modifiers.annotations);
  }

  private void annotations(String key, List<JCAnnotation> list) {
    if (list.isEmpty()) return;
    json.key(key).open('[');
    for (JCAnnotation each : list) annotation(each);
    json.close(']');
  }

  /** Those of all variables that are no fields. A record's own constructor repeats what its fields have. */
  private void localAnnotations() {
    List<JCAnnotation> found = new ArrayList<>();
    new TreeScanner() {
      @Override
      public void visitMethodDef(JCMethodDecl tree) {
        if (assignsComponents(tree)) scan(tree.body);
        else super.visitMethodDef(tree);
      }

      @Override
      public void visitVarDef(JCVariableDecl tree) {
        if (tree.sym.owner.kind != Kind.TYP) found.addAll(tree.mods.annotations);
        super.visitVarDef(tree);
      }
    }.scan(unit);
    annotations("local_annotations", found);
  }

  private void annotation(JCAnnotation tree) {
    json.open('{').key("name").value(tree.annotationType.type.tsym.name.toString());
    range(tree);
    JCTree argument = valueOf(tree);
    Object text = argument == null || argument.type == null ? null : argument.type.constValue();
    if (text instanceof String) {
      boolean isLiteral = argument instanceof JCLiteral;
      int quotes = isLiteral ? file.quotesAt(begin(argument)) : 0;
      json.key("argument").value((String) text);
      range("argument_at", begin(argument) + quotes, Math.max(begin(argument) + quotes, end(argument) - quotes));
    }
    json.close('}');
  }

  private static JCTree valueOf(JCAnnotation tree) {
    for (JCTree each : tree.args) {
      if (!(each instanceof JCAssign)) return bare(each);
      JCAssign assign = (JCAssign) each;
      if (isNamed(TreeInfo.name(assign.lhs), "value")) return bare(assign.rhs);
    }
    return null;
  }
}

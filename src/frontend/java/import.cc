#include "frontend/java/import.h"

#include <fmt/format.h>
#include <simdjson.h>

#include <array>
#include <map>
#include <memory>
#include <utility>

#include "base/check.h"

namespace concord::frontend::java {

namespace {

using simdjson::dom::array;
using simdjson::dom::element;
using simdjson::dom::object;

// ------------------------------------------------------------------------------------------------------------------ JSON

// A tree node is an object, in an array, in an object; with what stands around them.
constexpr std::size_t kMostBytes = std::size_t{1} << 30U;  // of a source file: offsets fit into an int
constexpr std::size_t kMostJsonNesting = 8 * static_cast<std::size_t>(kMostNesting) + 64;

using Found = simdjson::simdjson_result<element>;

// `From`: an element, or one that was looked for.
template <typename T, typename From>
T get(const From& value, const char* what) {
  T result;
  CONCORD_CHECK(value.get(result) == simdjson::SUCCESS, fmt::format("the export has no proper `{}`", what));
  return result;
}

bool has(const object& from, const char* key) { return from[key].error() == simdjson::SUCCESS; }

std::string text(const object& from, const char* key) {
  return has(from, key) ? std::string(get<std::string_view>(from[key], key)) : std::string();
}

std::string needed_text(const object& from, const char* key) {
  return std::string(get<std::string_view>(from[key], key));
}

bool truth(const object& from, const char* key) { return has(from, key) && get<bool>(from[key], key); }

// The enumerator that a name stands for.
template <typename E, std::size_t N>
E pick(const std::array<const char*, N>& names, const std::string& name) {
  for (std::size_t i = 0; i < N; ++i) {
    if (name == names[i]) return static_cast<E>(i);
  }
  base::internal_error(__FILE__, __LINE__, fmt::format("the export has an unknown word `{}`", name));
}

constexpr std::array kTypeKinds{"Primitive", "Void", "Null", "Class", "Array", "Other"};
constexpr std::array kPrimitives{"Boolean", "Byte", "Short", "Char", "Int", "Long", "Float", "Double"};
constexpr std::array kSymbolKinds{"Package", "Class", "Method", "Field", "Local", "Parameter", "Other"};
constexpr std::array kLiterals{"Int", "Long", "Float", "Double", "Boolean", "Char", "String", "Null"};
constexpr std::array kUnaryOps{"Plus",         "Minus",        "Not",           "Complement",
                               "PreIncrement", "PreDecrement", "PostIncrement", "PostDecrement"};
constexpr std::array kBinaryOps{"Add", "Sub", "Mul", "Div", "Rem", "Shl", "Shr", "Ushr",   "Lt",  "Le",
                                "Gt",  "Ge",  "Eq",  "Ne",  "And", "Or",  "Xor", "AndAnd", "OrOr"};

const std::map<std::string_view, bool Symbol::*>& flags() {
  static const std::map<std::string_view, bool Symbol::*> kMembers = {
      {"static", &Symbol::is_static},
      {"final", &Symbol::is_final},
      {"volatile", &Symbol::is_volatile},
      {"synchronized", &Symbol::is_synchronized},
      {"abstract", &Symbol::is_abstract},
      {"native", &Symbol::is_native},
      {"public", &Symbol::is_public},
      {"protected", &Symbol::is_protected},
      {"private", &Symbol::is_private},
      {"interface", &Symbol::is_interface},
      {"enum", &Symbol::is_enum},
      {"record", &Symbol::is_record},
      {"annotation", &Symbol::is_annotation},
      {"enum_constant", &Symbol::is_enum_constant},
      {"varargs", &Symbol::is_varargs},
      {"default", &Symbol::is_default},
      {"generated", &Symbol::is_generated},
      {"effectively_final", &Symbol::is_effectively_final},
      {"from_source", &Symbol::is_from_source},
      {"outer_instance", &Symbol::has_outer_instance},
      {"local", &Symbol::is_local},
  };
  return kMembers;
}

// ---------------------------------------------------------------------------------------------------------------- reader

class Reader {
  struct File {
    std::uint32_t index = 0;  // in the SourceMap
    std::size_t size = 0;
  };

 public:
  Reader(const object& root, const FileOf& file_of, const base::Edits& edits)
      : root_(root), file_of_(file_of), edits_(edits) {}

  Import read() {
    CONCORD_CHECK(get<std::int64_t>(root_["format"], "format") == kExportFormat, "the export has another format");
    std::size_t number = 0;
    for (const element file : get<array>(root_["files"], "files")) {
      const auto from = get<object>(file, "files");
      const std::size_t size = get<std::uint64_t>(from["size"], "size");
      CONCORD_CHECK(size <= kMostBytes, "the export has a file that is too large");
      files_.push_back({file_of_(number++, needed_text(from, "path"), size), size});
    }
    Import import;
    for (const element error : get<array>(root_["errors"], "errors")) import.errors.push_back(read_error(error));
    if (import.errors.empty()) read_unit(import.unit);
    return import;
  }

 private:
  // -------------------------------------------------------------------------------------------------- numbers and places

  template <typename From>
  int number(const From& value, const char* what, std::size_t limit) const {
    const auto result = get<std::int64_t>(value, what);
    CONCORD_CHECK(result >= 0 && static_cast<std::size_t>(result) < limit,
                  fmt::format("the export has a wrong number in `{}`", what));
    return static_cast<int>(result);
  }
  int id(const object& from, const char* key, std::size_t limit) const {
    return has(from, key) ? number(from[key], key, limit) : -1;
  }
  TypeId type(const object& from, const char* key) const { return id(from, key, type_count_); }
  SymbolId symbol(const object& from, const char* key) const { return id(from, key, symbol_count_); }

  std::vector<int> ids(const object& from, const char* key, std::size_t limit) const {
    std::vector<int> result;
    if (!has(from, key)) return result;
    for (const element each : get<array>(from[key], key)) result.push_back(number(each, key, limit));
    return result;
  }

  SourceRange range(std::size_t file, const Found& begin, const Found& end) const {
    CONCORD_CHECK(file < files_.size(), "the export has a place in no file");
    SourceRange result;
    result.file = files_[file].index;
    result.begin = static_cast<std::uint32_t>(number(begin, "at", files_[file].size + 1));
    result.end = static_cast<std::uint32_t>(number(end, "at", files_[file].size + 1));
    CONCORD_CHECK(result.begin <= result.end, "the export has a place that ends before it begins");
    return edits_.empty() ? result : edits_.now(result);
  }
  // [begin, end] in the file at hand.
  SourceRange local_range(const object& from, const char* key) const {
    const auto place = get<array>(from[key], key);
    return range(file_, place.at(0), place.at(1));
  }
  SourceRange at(const object& from) const { return local_range(from, "at"); }
  // [file, begin, end]
  SourceRange full_range(const array& place) const {
    return range(static_cast<std::size_t>(number(place.at(0), "file", files_.size())), place.at(1), place.at(2));
  }

  ImportError read_error(const element& error) const {
    const auto from = get<object>(error, "errors");
    ImportError result;
    result.message = needed_text(from, "message");
    if (has(from, "at")) result.range = full_range(get<array>(from["at"], "at"));
    return result;
  }

  static std::optional<std::string> constant(const object& from) {
    if (!has(from, "constant")) return {};
    return needed_text(from, "constant");
  }

  // -------------------------------------------------------------------------------------------------- types and symbols

  JavaType read_type(const object& from) const {
    JavaType result;
    result.kind = pick<JavaType::Kind>(kTypeKinds, needed_text(from, "kind"));
    if (has(from, "primitive")) result.primitive = pick<Prim>(kPrimitives, needed_text(from, "primitive"));
    result.symbol = symbol(from, "symbol");
    result.element = type(from, "element");
    result.text = needed_text(from, "text");
    return result;
  }

  Symbol read_symbol(const object& from) const {
    Symbol result;
    result.kind = pick<Symbol::Kind>(kSymbolKinds, needed_text(from, "kind"));
    result.name = needed_text(from, "name");
    result.qualified = text(from, "qualified");
    result.owner = symbol(from, "owner");
    result.type = type(from, "type");
    if (has(from, "flags")) read_flags(get<array>(from["flags"], "flags"), result);
    result.superclass = symbol(from, "superclass");
    result.interfaces = ids(from, "interfaces", symbol_count_);
    result.permits = ids(from, "permits", symbol_count_);
    result.outer = symbol(from, "outer");
    result.outer_method = symbol(from, "outer_method");
    result.members = ids(from, "members", symbol_count_);
    result.parameters = ids(from, "parameters", type_count_);
    result.overrides = ids(from, "overrides", symbol_count_);
    result.throws_ = ids(from, "throws", type_count_);
    if (has(from, "inherits")) result.inherits = read_pairs(get<array>(from["inherits"], "inherits"));
    result.constant = constant(from);
    if (has(from, "range")) result.range = full_range(get<array>(from["range"], "range"));
    return result;
  }

  static void read_flags(const array& names, Symbol& result) {
    for (const element name : names) {
      const auto found = flags().find(get<std::string_view>(name, "flags"));
      CONCORD_CHECK(found != flags().end(), "the export has an unknown flag");
      result.*(found->second) = true;
    }
  }

  std::vector<std::pair<SymbolId, SymbolId>> read_pairs(const array& pairs) const {
    std::vector<std::pair<SymbolId, SymbolId>> result;
    for (const element each : pairs) {
      const auto pair = get<array>(each, "inherits");
      result.emplace_back(number(pair.at(0), "inherits", symbol_count_), number(pair.at(1), "inherits", symbol_count_));
    }
    return result;
  }

  // -------------------------------------------------------------------------------------------------------- expressions

  ExprPtr expr(const object& from, const char* key) {
    return has(from, key) ? read_expr(get<object>(from[key], key)) : nullptr;
  }
  ExprPtr needed_expr(const object& from, const char* key) { return read_expr(get<object>(from[key], key)); }
  std::vector<ExprPtr> exprs(const object& from, const char* key) {
    std::vector<ExprPtr> result;
    if (!has(from, key)) return result;
    for (const element each : get<array>(from[key], key)) result.push_back(read_expr(get<object>(each, key)));
    return result;
  }

  // One reader per kind. They fill the node in place: the frames of a recursion through here stay small.
  using ExprReader = void (Reader::*)(const object&, Expr&);
  static const std::map<std::string_view, ExprReader>& expr_readers() {
    static const std::map<std::string_view, ExprReader> kReaders = {
        {"Literal", &Reader::literal},
        {"Name", &Reader::name},
        {"This", &Reader::this_},
        {"Select", &Reader::select},
        {"ClassLiteral", &Reader::class_literal},
        {"Index", &Reader::index},
        {"Unary", &Reader::unary},
        {"Binary", &Reader::binary},
        {"Assign", &Reader::assign},
        {"CompoundAssign", &Reader::compound_assign},
        {"Conditional", &Reader::conditional},
        {"Call", &Reader::call},
        {"New", &Reader::new_},
        {"NewArray", &Reader::new_array},
        {"Cast", &Reader::cast},
        {"InstanceOf", &Reader::instance_of},
        {"Lambda", &Reader::lambda},
        {"MethodRef", &Reader::method_ref},
        {"SwitchExpr", &Reader::switch_expr},
        {"UnsupportedExpr", &Reader::unsupported_expr},
    };
    return kReaders;
  }

  ExprPtr read_expr(const object& from) {
    auto result = std::make_unique<Expr>();
    result->range = at(from);
    result->type = type(from, "type");
    result->constant = constant(from);
    const auto reader = expr_readers().find(get<std::string_view>(from["k"], "k"));
    CONCORD_CHECK(reader != expr_readers().end(), "the export has an unknown kind of expression");
    (this->*reader->second)(from, *result);
    return result;
  }

  void literal(const object& from, Expr& expr) {
    auto& node = expr.node.emplace<Literal>();
    node.kind = pick<Literal::Kind>(kLiterals, needed_text(from, "kind"));
    node.value = text(from, "value");
  }
  void name(const object& from, Expr& expr) { expr.node.emplace<Name>().symbol = symbol(from, "symbol"); }
  void this_(const object& from, Expr& expr) { expr.node.emplace<This>().class_symbol = symbol(from, "class_symbol"); }
  void select(const object& from, Expr& result) {
    auto& node = result.node.emplace<Select>();
    node.object = expr(from, "object");
    node.symbol = symbol(from, "symbol");
    node.is_length = truth(from, "is_length");
  }
  void class_literal(const object& from, Expr& expr) { expr.node.emplace<ClassLiteral>().of = type(from, "of"); }
  void index(const object& from, Expr& result) {
    auto& node = result.node.emplace<Index>();
    node.array = needed_expr(from, "array");
    node.index = needed_expr(from, "index");
  }
  void unary(const object& from, Expr& result) {
    auto& node = result.node.emplace<Unary>();
    node.op = pick<UnaryOp>(kUnaryOps, needed_text(from, "op"));
    node.operand = needed_expr(from, "operand");
  }
  void binary(const object& from, Expr& result) {
    auto& node = result.node.emplace<Binary>();
    node.op = pick<BinaryOp>(kBinaryOps, needed_text(from, "op"));
    node.operand = type(from, "operand");
    node.left = needed_expr(from, "left");
    node.right = needed_expr(from, "right");
  }
  void assign(const object& from, Expr& result) {
    auto& node = result.node.emplace<Assign>();
    node.target = needed_expr(from, "target");
    node.value = needed_expr(from, "value");
  }
  void compound_assign(const object& from, Expr& result) {
    auto& node = result.node.emplace<CompoundAssign>();
    node.op = pick<BinaryOp>(kBinaryOps, needed_text(from, "op"));
    node.operand = type(from, "operand");
    node.target = needed_expr(from, "target");
    node.value = needed_expr(from, "value");
  }
  void conditional(const object& from, Expr& result) {
    auto& node = result.node.emplace<Conditional>();
    node.condition = needed_expr(from, "condition");
    node.then = needed_expr(from, "then");
    node.otherwise = needed_expr(from, "otherwise");
  }
  void call(const object& from, Expr& result) {
    auto& node = result.node.emplace<Call>();
    node.method = symbol(from, "method");
    node.is_super = truth(from, "is_super");
    node.is_this_constructor = truth(from, "is_this_constructor");
    node.varargs_element = type(from, "varargs_element");
    node.receiver = expr(from, "receiver");
    node.arguments = exprs(from, "arguments");
  }
  void new_(const object& from, Expr& result) {
    auto& node = result.node.emplace<New>();
    node.class_symbol = symbol(from, "class_symbol");
    node.constructor = symbol(from, "constructor");
    node.varargs_element = type(from, "varargs_element");
    node.outer = expr(from, "outer");
    node.arguments = exprs(from, "arguments");
    if (has(from, "body")) node.body = class_decl(get<object>(from["body"], "body"));
  }
  void new_array(const object& from, Expr& result) {
    auto& node = result.node.emplace<NewArray>();
    node.element = type(from, "element");
    node.dimensions = exprs(from, "dimensions");
    if (has(from, "extra_dimensions")) {
      node.extra_dimensions = number(from["extra_dimensions"], "extra_dimensions", 256);
    }
    if (has(from, "initialisers")) node.initialisers = exprs(from, "initialisers");
  }
  void cast(const object& from, Expr& result) {
    auto& node = result.node.emplace<Cast>();
    node.to = type(from, "to");
    node.operand = needed_expr(from, "operand");
  }
  void instance_of(const object& from, Expr& result) {
    auto& node = result.node.emplace<InstanceOf>();
    node.tested = type(from, "tested");
    node.binding = symbol(from, "binding");
    node.operand = needed_expr(from, "operand");
  }
  void lambda(const object& from, Expr& result) {
    auto& node = result.node.emplace<Lambda>();
    node.interface_symbol = symbol(from, "interface_symbol");
    node.method = symbol(from, "method");
    node.parameters = parameters(from);
    node.expression = expr(from, "expression");
    node.block = stmt(from, "block");
    CONCORD_CHECK((node.expression == nullptr) != (node.block == nullptr), "the export has a lambda without one body");
  }
  void method_ref(const object& from, Expr& result) {
    auto& node = result.node.emplace<MethodRef>();
    node.interface_symbol = symbol(from, "interface_symbol");
    node.method = symbol(from, "method");
    node.target = symbol(from, "target");
    node.is_constructor = truth(from, "is_constructor");
    node.is_super = truth(from, "is_super");
    node.of = type(from, "of");
    node.receiver = expr(from, "receiver");
  }
  void switch_expr(const object& from, Expr& result) {
    auto& node = result.node.emplace<SwitchExpr>();
    node.selector = needed_expr(from, "selector");
    node.cases = cases(from);
  }
  void unsupported_expr(const object& from, Expr& result) {
    result.node.emplace<UnsupportedExpr>().what = needed_text(from, "what");
  }

  std::vector<SwitchCase> cases(const object& from) {
    std::vector<SwitchCase> result;
    for (const element each : get<array>(from["cases"], "cases")) {
      const auto one = get<object>(each, "cases");
      SwitchCase& made = result.emplace_back();
      made.range = at(one);
      made.is_default = truth(one, "is_default");
      made.is_arrow = truth(one, "is_arrow");
      made.labels = exprs(one, "labels");
      made.body = stmts(one, "body");
    }
    return result;
  }

  std::vector<Parameter> parameters(const object& from) const {
    std::vector<Parameter> result;
    if (!has(from, "parameters")) return result;
    for (const element each : get<array>(from["parameters"], "parameters")) {
      const auto one = get<object>(each, "parameters");
      result.push_back({symbol(one, "symbol"), at(one)});
    }
    return result;
  }

  // --------------------------------------------------------------------------------------------------------- statements

  StmtPtr stmt(const object& from, const char* key) {
    return has(from, key) ? read_stmt(get<object>(from[key], key)) : nullptr;
  }
  StmtPtr needed_stmt(const object& from, const char* key) { return read_stmt(get<object>(from[key], key)); }
  std::vector<StmtPtr> stmts(const object& from, const char* key) {
    std::vector<StmtPtr> result;
    if (!has(from, key)) return result;
    for (const element each : get<array>(from[key], key)) result.push_back(read_stmt(get<object>(each, key)));
    return result;
  }

  using StmtReader = void (Reader::*)(const object&, Stmt&);
  static const std::map<std::string_view, StmtReader>& stmt_readers() {
    static const std::map<std::string_view, StmtReader> kReaders = {
        {"Block", &Reader::block},
        {"LocalVar", &Reader::local_var},
        {"LocalClass", &Reader::local_class},
        {"ExprStmt", &Reader::expr_stmt},
        {"If", &Reader::if_},
        {"While", &Reader::while_},
        {"DoWhile", &Reader::do_while},
        {"For", &Reader::for_},
        {"ForEach", &Reader::for_each},
        {"Labeled", &Reader::labeled},
        {"Switch", &Reader::switch_},
        {"Return", &Reader::return_},
        {"Break", &Reader::break_},
        {"Continue", &Reader::continue_},
        {"Yield", &Reader::yield},
        {"Throw", &Reader::throw_},
        {"Try", &Reader::try_},
        {"Synchronized", &Reader::synchronized_},
        {"Assert", &Reader::assert_},
        {"Empty", &Reader::empty},
        {"UnsupportedStmt", &Reader::unsupported_stmt},
    };
    return kReaders;
  }

  StmtPtr read_stmt(const object& from) {
    auto result = std::make_unique<Stmt>();
    result->range = at(from);
    const auto reader = stmt_readers().find(get<std::string_view>(from["k"], "k"));
    CONCORD_CHECK(reader != stmt_readers().end(), "the export has an unknown kind of statement");
    (this->*reader->second)(from, *result);
    return result;
  }

  void block(const object& from, Stmt& result) {
    auto& node = result.node.emplace<Block>();
    node.statements = stmts(from, "statements");
    node.end = local_range(from, "end");
  }
  void local_var(const object& from, Stmt& result) {
    auto& node = result.node.emplace<LocalVar>();
    node.symbol = symbol(from, "symbol");
    node.init = expr(from, "init");
  }
  void local_class(const object& from, Stmt& result) {
    result.node.emplace<LocalClass>().declaration = class_decl(get<object>(from["declaration"], "declaration"));
  }
  void expr_stmt(const object& from, Stmt& result) {
    result.node.emplace<ExprStmt>().expression = needed_expr(from, "expression");
  }
  void if_(const object& from, Stmt& result) {
    auto& node = result.node.emplace<If>();
    node.condition = needed_expr(from, "condition");
    node.then = needed_stmt(from, "then");
    node.otherwise = stmt(from, "otherwise");
  }
  void while_(const object& from, Stmt& result) {
    auto& node = result.node.emplace<While>();
    node.condition = needed_expr(from, "condition");
    node.body = needed_stmt(from, "body");
  }
  void do_while(const object& from, Stmt& result) {
    auto& node = result.node.emplace<DoWhile>();
    node.body = needed_stmt(from, "body");
    node.condition = needed_expr(from, "condition");
  }
  void for_(const object& from, Stmt& result) {
    auto& node = result.node.emplace<For>();
    node.init = stmts(from, "init");
    node.condition = expr(from, "condition");
    node.update = stmts(from, "update");
    node.body = needed_stmt(from, "body");
  }
  void for_each(const object& from, Stmt& result) {
    auto& node = result.node.emplace<ForEach>();
    node.variable = symbol(from, "variable");
    node.collection = needed_expr(from, "collection");
    node.body = needed_stmt(from, "body");
  }
  void labeled(const object& from, Stmt& result) {
    auto& node = result.node.emplace<Labeled>();
    node.label = needed_text(from, "label");
    node.body = needed_stmt(from, "body");
  }
  void switch_(const object& from, Stmt& result) {
    auto& node = result.node.emplace<Switch>();
    node.selector = needed_expr(from, "selector");
    node.cases = cases(from);
  }
  void return_(const object& from, Stmt& result) { result.node.emplace<Return>().value = expr(from, "value"); }
  void break_(const object& from, Stmt& result) { result.node.emplace<Break>().label = text(from, "label"); }
  void continue_(const object& from, Stmt& result) { result.node.emplace<Continue>().label = text(from, "label"); }
  void yield(const object& from, Stmt& result) { result.node.emplace<Yield>().value = needed_expr(from, "value"); }
  void throw_(const object& from, Stmt& result) { result.node.emplace<Throw>().value = needed_expr(from, "value"); }
  void try_(const object& from, Stmt& result) {
    auto& node = result.node.emplace<Try>();
    node.resources = stmts(from, "resources");
    node.body = needed_stmt(from, "body");
    for (const element each : get<array>(from["catches"], "catches")) {
      const auto one = get<object>(each, "catches");
      Catch& made = node.catches.emplace_back();
      made.variable = symbol(one, "variable");
      made.types = ids(one, "types", type_count_);
      made.range = at(one);
      made.body = needed_stmt(one, "body");
    }
    node.finally = stmt(from, "finally");
  }
  void synchronized_(const object& from, Stmt& result) {
    auto& node = result.node.emplace<Synchronized>();
    node.lock = needed_expr(from, "lock");
    node.body = needed_stmt(from, "body");
  }
  void assert_(const object& from, Stmt& result) {
    auto& node = result.node.emplace<Assert>();
    node.condition = needed_expr(from, "condition");
    node.detail = expr(from, "detail");
  }
  void empty(const object& /*from*/, Stmt& result) { result.node.emplace<Empty>(); }
  void unsupported_stmt(const object& from, Stmt& result) {
    result.node.emplace<UnsupportedStmt>().what = needed_text(from, "what");
  }

  // ------------------------------------------------------------------------------------------------------- declarations

  std::vector<Annotation> annotations(const object& from, const char* key = "annotations") const {
    std::vector<Annotation> result;
    if (!has(from, key)) return result;
    for (const element each : get<array>(from[key], key)) {
      const auto one = get<object>(each, key);
      Annotation& made = result.emplace_back();
      made.name = needed_text(one, "name");
      made.range = at(one);
      made.argument = text(one, "argument");
      if (has(one, "argument_at")) made.argument_range = local_range(one, "argument_at");
    }
    return result;
  }

  std::shared_ptr<ClassDecl> class_decl(const object& from) {
    auto result = std::make_shared<ClassDecl>();
    result->symbol = symbol(from, "symbol");
    result->annotations = annotations(from);
    result->range = at(from);
    result->body = local_range(from, "body");
    for (const element each : get<array>(from["members"], "members")) {
      read_member(get<object>(each, "members"), result->members);
    }
    return result;
  }

  void read_member(const object& from, std::vector<Member>& members) {
    const auto kind = get<std::string_view>(from["k"], "k");
    if (kind == "Field") {
      members.emplace_back(FieldDecl{symbol(from, "symbol"), expr(from, "init"), annotations(from), at(from)});
    } else if (kind == "Method") {
      members.emplace_back(
          MethodDecl{symbol(from, "symbol"), parameters(from), stmt(from, "body"), annotations(from), at(from)});
    } else if (kind == "Initialiser") {
      members.emplace_back(Initialiser{truth(from, "is_static"), needed_stmt(from, "body")});
    } else {
      CONCORD_CHECK(kind == "Class", "the export has an unknown kind of member");
      members.emplace_back(class_decl(from));
    }
  }

  // --------------------------------------------------------------------------------------------------------------- unit

  void read_unit(Unit& unit) {
    const auto types = get<array>(root_["types"], "types");
    const auto symbols = get<array>(root_["symbols"], "symbols");
    type_count_ = count(types);
    symbol_count_ = count(symbols);
    for (const element each : types) unit.types.push_back(read_type(get<object>(each, "types")));
    for (const element each : symbols) unit.symbols.push_back(read_symbol(get<object>(each, "symbols")));
    for (const element each : get<array>(root_["units"], "units")) read_file(get<object>(each, "units"), unit);
    for (const element each : get<array>(root_["unchecked"], "unchecked")) {
      unit.unchecked.push_back(full_range(get<array>(each, "unchecked")));
    }
    for (const element each : get<array>(root_["stub_files"], "stub_files")) {
      unit.stub_files.push_back(files_[static_cast<std::size_t>(number(each, "stub_files", files_.size()))].index);
    }
  }

  // Not array::size(): that one stops counting at 2^24.
  static std::size_t count(const array& elements) {
    std::size_t result = 0;
    for ([[maybe_unused]] const element each : elements) ++result;
    return result;
  }

  void read_file(const object& from, Unit& unit) {
    file_ = static_cast<std::size_t>(number(from["file"], "file", files_.size()));
    for (const element each : get<array>(from["classes"], "classes")) {
      unit.classes.push_back(class_decl(get<object>(each, "classes")));
    }
    for (const element each : get<array>(from["comments"], "comments")) {
      const auto comment = get<array>(each, "comments");
      unit.comments.push_back({range(file_, comment.at(0), comment.at(1)), get<bool>(comment.at(2), "comments")});
    }
    for (Annotation& it : annotations(from, "local_annotations")) unit.local_annotations.push_back(std::move(it));
  }

  object root_;
  const FileOf& file_of_;
  const base::Edits& edits_;
  std::vector<File> files_;
  std::size_t type_count_ = 0;
  std::size_t symbol_count_ = 0;
  std::size_t file_ = 0;  // whose trees are being read
};

}  // namespace

Import import_json(std::string_view json, const FileOf& file_of, const base::Edits& edits) {
  simdjson::dom::parser parser;
  CONCORD_CHECK(parser.allocate(json.size(), kMostJsonNesting) == simdjson::SUCCESS, "no memory for the export");
  element root;
  const auto error = parser.parse(json.data(), json.size()).get(root);
  CONCORD_CHECK(error == simdjson::SUCCESS, fmt::format("the export is not JSON: {}", simdjson::error_message(error)));
  object top;
  CONCORD_CHECK(root.get(top) == simdjson::SUCCESS, "the export is not an object");
  return Reader(top, file_of, edits).read();
}

}  // namespace concord::frontend::java

#include "smt/symbols.h"

#include <algorithm>
#include <string_view>

namespace concord::smt {

using formula::Sort;
using formula::SortNode;
using formula::Term;

namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_simple(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
         std::string_view("~!@$%^&*_-+=<>.?/").find(c) != std::string_view::npos;
}

// Without what not even a quoted symbol may have: some characters, and those at the begin that are the solvers' own.
std::string printable(std::string name) {
  if (name.starts_with('@') || name.starts_with('.')) name.insert(0, 1, '!');
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c == '|' || c == '\\' || (c >= 0 && c < ' ') || c == 127; }, '_');
  return name;
}

std::string quoted(const std::string& name) {
  const bool simple = !is_digit(name[0]) && std::ranges::all_of(name, is_simple);
  return simple ? name : "|" + name + "|";
}

bool is_known_sort(const std::string& name) {
  static const std::unordered_set<std::string> kKnown{
      "Array",    "Bag",    "BitVec", "Bool",  "Char",    "FiniteField", "Float16",      "Float32",      "Float64",
      "Float128", "Int",    "List",   "Pair",  "Real",    "RegLan",      "Relation",     "RoundingMode", "Seq",
      "Set",      "String", "Table",  "Tuple", "Unicode", "UnitTuple",   "FloatingPoint"};
  return name.empty() || kKnown.contains(name);
}

// The text for a key, made at its first use.
template <typename Map, typename Key, typename Make>
const std::string& remembered(Map& map, const Key& key, Make make) {
  std::string& text = map[key];
  if (text.empty()) text = make();
  return text;
}

}  // namespace

std::string Symbols::unused(const std::string& name) {
  std::string base = printable(name);
  while (base.size() < 2 || base.find('!') == std::string::npos) base += '!';  // `!` alone is reserved
  std::string candidate = base;
  for (int i = 2; !used_.insert(candidate).second; ++i) candidate = base + "!" + std::to_string(i);
  return quoted(candidate);
}

const std::string& Symbols::constant(Term term) {
  return remembered(constants_, term, [&] { return unused(term->name); });
}

const std::string& Symbols::function(Term term) {
  Signature signature{term->name, {term->sort}};
  for (Term it : term->args) signature.second.push_back(it->sort);
  return remembered(functions_, signature, [&] { return unused(term->name); });
}

const std::string& Symbols::enum_const(Sort sort, std::size_t which) {
  return remembered(enum_consts_, std::pair{sort, which}, [&] { return unused(sort->constants[which]); });
}

const std::string& Symbols::sort_name(Sort sort) {
  return remembered(sorts_, sort, [&] {
    std::string name = printable(sort->name);
    while (is_known_sort(name) || !used_.insert("sort " + name).second) name += '!';
    return quoted(name);
  });
}

std::string Symbols::sort(Sort sort) {
  switch (sort->kind) {
    case SortNode::Kind::kBool: return "Bool";
    case SortNode::Kind::kInt: return "Int";
    case SortNode::Kind::kUninterpreted:
    case SortNode::Kind::kEnum: return sort_name(sort);
    case SortNode::Kind::kArray: break;
  }
  return "(Array " + this->sort(sort->key) + " " + this->sort(sort->value) + ")";
}

}  // namespace concord::smt

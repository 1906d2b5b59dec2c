#include "smt/term_text.h"

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace concord::smt {

using formula::Op;
using formula::Term;

namespace {

std::string number(std::int64_t value) {
  const std::string text = std::to_string(value);
  return value < 0 ? "(- " + text.substr(1) + ")" : text;
}

std::string head(Term term, Symbols& symbols) {
  switch (term->op) {
    case Op::kTrue: return "true";
    case Op::kFalse: return "false";
    case Op::kNumber: return number(term->number);
    case Op::kEnumConst: return symbols.enum_const(term->sort, static_cast<std::size_t>(term->number));
    case Op::kConst:
    case Op::kBound: return symbols.constant(term);
    case Op::kApply: return symbols.function(term);
    case Op::kNot: return "not";
    case Op::kAnd: return "and";
    case Op::kOr: return "or";
    case Op::kImplies: return "=>";
    case Op::kIte: return "ite";
    case Op::kEq: return "=";
    case Op::kAdd: return "+";
    case Op::kSub:
    case Op::kNeg: return "-";
    case Op::kMul: return "*";
    case Op::kDiv: return "div";
    case Op::kMod: return "mod";
    case Op::kLe: return "<=";
    case Op::kLt: return "<";
    case Op::kSelect: return "select";
    case Op::kStore: return "store";
    case Op::kConstArray: return "(as const " + symbols.sort(term->sort) + ")";
    case Op::kForall: return "forall";
    case Op::kExists: return "exists";
  }
  base::internal_error(__FILE__, __LINE__, "unknown operator");
}

}  // namespace

// Declared symbols have an exclamation mark, so they are different.
std::string part_name(Term term) { return "t" + std::to_string(term->id); }

std::string TermText::print(Term term) {
  out_.clear();
  block(term, nullptr);
  while (!open_.empty()) {
    const Item item = std::move(open_.back());
    open_.pop_back();
    run(item);
  }
  return std::move(out_);
}

void TermText::run(const Item& item) {
  switch (item.kind) {
    case Item::Kind::kText: out_ += item.text; return;
    case Item::Kind::kTerm:
      if (is_named(item.term)) {
        out_ += part_name(item.term);
      } else {
        expand(item.term);
      }
      return;
    case Item::Kind::kBlock:
      scope_.insert(item.term->bound.begin(), item.term->bound.end());
      block(item.term->args[0], item.term);
      return;
    case Item::Kind::kName: let_.insert(item.term); return;
    case Item::Kind::kForget: let_.erase(item.term); return;
    case Item::Kind::kLeave:
      for (Term it : item.term->bound) scope_.erase(it);
      return;
  }
}

// A formula on top or the body of a quantifier, with the names that can be given here.
void TermText::block(Term body, Term quantifier) {
  std::vector<Item> items;
  std::vector<Item> end;
  for (Term it : Uses().add(body, [&](Term part) { return is_named(part); })) {
    if (it == body || !is_visible(it)) continue;
    items.push_back({Item::Kind::kText, nullptr, "(let ((" + part_name(it) + " "});
    items.push_back({Item::Kind::kTerm, it, ""});
    items.push_back({Item::Kind::kName, it, ""});
    items.push_back({Item::Kind::kText, nullptr, ")) "});
    end.push_back({Item::Kind::kText, nullptr, ")"});
    end.push_back({Item::Kind::kForget, it, ""});
  }
  items.push_back({Item::Kind::kTerm, body, ""});
  if (quantifier != nullptr) end.push_back({Item::Kind::kLeave, quantifier, ""});
  items.insert(items.end(), end.begin(), end.end());
  push_reversed(std::move(items));
}

bool TermText::is_visible(Term term) {
  return std::ranges::all_of(free_.of(term), [&](Term it) { return scope_.contains(it); });
}

void TermText::expand(Term term) {
  if (is_atom(term)) {
    out_ += head(term, symbols_);
    return;
  }
  if (!term->bound.empty()) {
    expand_quantifier(term);
    return;
  }
  out_ += "(" + head(term, symbols_);
  std::vector<Item> items;
  for (Term it : term->args) {
    items.push_back({Item::Kind::kText, nullptr, " "});
    items.push_back({Item::Kind::kTerm, it, ""});
  }
  items.push_back({Item::Kind::kText, nullptr, ")"});
  push_reversed(std::move(items));
}

// The patterns stand beside the body, where the names given inside it are not known.
void TermText::expand_quantifier(Term term) {
  out_ += "(" + head(term, symbols_) + " (";
  for (Term it : term->bound) out_ += "(" + symbols_.constant(it) + " " + symbols_.sort(it->sort) + ")";
  out_ += term->patterns.empty() ? ") " : ") (! ";
  std::vector<Item> items{{Item::Kind::kBlock, term, ""}};
  for (const auto& pattern : term->patterns) {
    items.push_back({Item::Kind::kText, nullptr, " :pattern ("});
    for (std::size_t i = 0; i < pattern.size(); ++i) {
      if (i > 0) items.push_back({Item::Kind::kText, nullptr, " "});
      items.push_back({Item::Kind::kTerm, pattern[i], ""});
    }
    items.push_back({Item::Kind::kText, nullptr, ")"});
  }
  items.push_back({Item::Kind::kText, nullptr, term->patterns.empty() ? ")" : "))"});
  push_reversed(std::move(items));
}

void TermText::push_reversed(std::vector<Item> items) {
  std::move(items.rbegin(), items.rend(), std::back_inserter(open_));
}

}  // namespace concord::smt

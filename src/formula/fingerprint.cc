#include "formula/fingerprint.h"

#include <array>
#include <cstring>

namespace concord::formula {

namespace {

// What begins a part of the text, so that no text can be read in two ways.
enum class Tag : std::int64_t { kNode = 1, kSort, kTerm, kList };

}  // namespace

void Fingerprint::add_number(std::int64_t number) {
  std::array<char, sizeof number> bytes{};
  std::memcpy(bytes.data(), &number, sizeof number);
  hash_.add({bytes.data(), bytes.size()});
}

void Fingerprint::add(const std::vector<Term>& terms) {
  for (Term it : terms) add(it);
  add_number(static_cast<std::int64_t>(Tag::kList));
  add_number(std::ssize(terms));
}

void Fingerprint::add(Term term) {
  std::vector<Term> open{term};
  while (!open.empty()) {
    Term at = open.back();
    if (terms_.contains(at)) {
      open.pop_back();
      continue;
    }
    const std::size_t before = open.size();
    const auto need = [&](Term part) {
      if (!terms_.contains(part)) open.push_back(part);
    };
    for (auto it = at->args.rbegin(); it != at->args.rend(); ++it) need(*it);
    for (const std::vector<Term>& pattern : at->patterns) {
      for (Term it : pattern) need(it);
    }
    for (Term it : at->bound) need(it);
    if (open.size() > before) continue;
    write(at);
    open.pop_back();
  }
  add_number(static_cast<std::int64_t>(Tag::kTerm));
  add_number(terms_.at(term));
}

void Fingerprint::write(Term node) {
  const std::int64_t sort = number(node->sort);
  add_number(static_cast<std::int64_t>(Tag::kNode));
  add_number(static_cast<std::int64_t>(node->op));
  add_number(sort);
  add_number(node->op == Op::kNumber || node->op == Op::kEnumConst ? node->number : 0);
  if (node->op == Op::kApply) add_text(node->name);
  const auto add_all = [&](const std::vector<Term>& parts) {
    add_number(std::ssize(parts));
    for (Term it : parts) add_number(terms_.at(it));
  };
  add_all(node->args);
  add_all(node->bound);
  add_number(std::ssize(node->patterns));
  for (const std::vector<Term>& it : node->patterns) add_all(it);
  terms_.emplace(node, std::ssize(term_order_));
  term_order_.push_back(node);
}

std::int64_t Fingerprint::number(Sort sort) {
  if (const auto found = sorts_.find(sort); found != sorts_.end()) return found->second;
  const std::int64_t key = sort->key == nullptr ? -1 : number(sort->key);
  const std::int64_t value = sort->value == nullptr ? -1 : number(sort->value);
  add_number(static_cast<std::int64_t>(Tag::kSort));
  add_number(static_cast<std::int64_t>(sort->kind));
  add_text(sort->name);
  add_number(std::ssize(sort->constants));
  for (const std::string& it : sort->constants) add_text(it);
  add_number(key);
  add_number(value);
  sort_order_.push_back(sort);
  return sorts_.emplace(sort, std::ssize(sort_order_) - 1).first->second;
}

void Fingerprint::push() { marks_.push_back({hash_, term_order_.size(), sort_order_.size()}); }

void Fingerprint::pop() {
  const Mark& mark = marks_.back();
  hash_ = mark.hash;
  for (; term_order_.size() > mark.terms; term_order_.pop_back()) terms_.erase(term_order_.back());
  for (; sort_order_.size() > mark.sorts; sort_order_.pop_back()) sorts_.erase(sort_order_.back());
  marks_.pop_back();
}

}  // namespace concord::formula

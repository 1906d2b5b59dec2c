#include "engine/shape/tvla/expansion.h"

#include <algorithm>
#include <unordered_set>

namespace concord::engine::shape::tvla {

namespace {

void add(std::vector<std::string>& to, const std::vector<std::string>& more) {
  std::unordered_set<std::string> known(to.begin(), to.end());
  for (const std::string& it : more) {
    if (known.insert(it).second) to.push_back(it);
  }
}

// Keeps those that are in `others`, or those that are not.
void filter(std::vector<std::string>& list, const std::vector<std::string>& others, bool in) {
  const std::unordered_set<std::string> known(others.begin(), others.end());
  std::erase_if(list, [&](const std::string& it) { return known.contains(it) != in; });
}

}  // namespace

void Errors::report(base::SourceRange range, std::string message, std::string hint,
                    const std::optional<diag::Note>& note) {
  if (!reported_.insert({{range.file, range.begin}, message}).second) return;
  if (sink_.is_full()) throw GiveUp();
  diag::Diagnostic& error = sink_.error(range, std::move(message), std::move(hint));
  if (note) error.notes.push_back(*note);
  if (use_ && use_->range != range) error.notes.push_back(*use_);
}

bool Errors::is_reported(base::SourceRange range, const std::string& message) const {
  return reported_.contains({{range.file, range.begin}, message});
}

void Expansion::spend(std::size_t cost, base::SourceRange at) {
  cost_ += cost;
  if (cost_ <= kMostCost) return;
  errors_.report(at, "the model is too large, once its sets and the parameters of its actions are expanded");
  throw GiveUp();
}

const std::string* Expansion::bound(const std::string& word) const {
  const auto found =
      std::find_if(bindings_.rbegin(), bindings_.rend(), [&](const auto& it) { return it.first == word; });
  return found == bindings_.rend() ? nullptr : &found->second;
}

std::string Expansion::name(const Name& name) {
  const std::string* value = bound(name.word.text);
  std::string out = value == nullptr ? name.word.text : *value;
  if (name.has_parameters) {
    out += '[';
    for (std::size_t i = 0; i < name.parameters.size(); ++i) out += (i > 0 ? "," : "") + this->name(name.parameters[i]);
    out += ']';
  }
  if (out.size() > kLongestName) {
    errors_.report(name.range,
                   "the name that this stands for is longer than " + std::to_string(kLongestName) + " letters");
    throw GiveUp();
  }
  return out;
}

std::vector<std::string> Expansion::members(const SetExpr& set) {
  Members out;
  switch (set.kind) {
    case SetExpr::Kind::kNamed: out = named(set); break;
    case SetExpr::Kind::kListed: out = listed(set); break;
    case SetExpr::Kind::kMapped: each({set.word, set.parts[0]}, [&] { add(out, listed(set)); }); break;
    case SetExpr::Kind::kSum: out = sum(set); break;
    case SetExpr::Kind::kIntersection: out = intersection(set); break;
  }
  spend(out.size() + 1, set.range);
  return out;
}

std::vector<std::string> Expansion::named(const SetExpr& set) {
  const std::string* value = bound(set.word.text);
  const std::string& name = value == nullptr ? set.word.text : *value;
  if (const auto found = sets_.find(name); found != sets_.end()) return found->second;
  const std::string message = "there is no set `" + name + "`";
  if (errors_.is_reported(set.range, message)) return {};
  std::vector<std::string> candidates;
  for (const auto& [known, members] : sets_) candidates.push_back(known);
  std::sort(candidates.begin(), candidates.end());
  const std::string near = diag::nearest(name, candidates);
  errors_.report(set.range, message, near.empty() ? "" : "did you mean `" + near + "`?");
  return {};
}

std::vector<std::string> Expansion::listed(const SetExpr& set) {
  Members out;
  for (const Name& it : set.names) out.push_back(name(it));
  Members once;
  add(once, out);
  return once;
}

std::vector<std::string> Expansion::sum(const SetExpr& set) {
  Members out;
  for (std::size_t i = 0; i < set.parts.size(); ++i) {
    const Members part = members(set.parts[i]);
    if (set.is_minus[i]) {
      filter(out, part, false);
    } else {
      add(out, part);
    }
    spend(out.size(), set.range);
  }
  return out;
}

std::vector<std::string> Expansion::intersection(const SetExpr& set) {
  Members out = members(set.parts[0]);
  for (std::size_t i = 1; i < set.parts.size(); ++i) filter(out, members(set.parts[i]), true);
  return out;
}

void Expansion::define_set(const std::string& name, const std::vector<std::string>& more) { add(sets_[name], more); }

void Expansion::each(const Loop& loop, const std::function<void()>& body) {
  for (const std::string& member : members(loop.set)) {
    spend(1, loop.word.range);
    with({loop.word}, {member}, body);
  }
}

void Expansion::with(const std::vector<Word>& words, const std::vector<std::string>& names,
                     const std::function<void()>& body) {
  const std::size_t outside = bindings_.size();
  for (std::size_t i = 0; i < words.size(); ++i) bindings_.emplace_back(words[i].text, names[i]);
  body();
  bindings_.resize(outside);
}

void Expansion::each_from(const Loops& loops, std::size_t first, const std::function<void()>& body) {
  if (first == loops.size()) return body();
  each(*loops[first], [&] { each_from(loops, first + 1, body); });
}

}  // namespace concord::engine::shape::tvla

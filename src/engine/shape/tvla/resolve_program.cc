#include <set>
#include <utility>

#include "engine/shape/tvla/resolver.h"

namespace concord::engine::shape::tvla {

void Resolver::collect_labels() {
  for (const ThreadDecl& thread : model_.threads) {
    for (const EdgeDecl& edge : thread.edges) {
      label(edge.from);
      label(edge.to);
    }
  }
}

int Resolver::label(const Word& word) {
  const auto [found, is_new] = labels_.emplace(word.text, static_cast<int>(system_.labels.size()));
  if (is_new) system_.labels.push_back(word.text);
  return found->second;
}

void Resolver::program() {
  for (const ActionDecl& it : model_.actions) {
    check_distinct(it.parameters, "parameter");
    const auto [found, is_new] = actions_.emplace(it.name.text, &it);
    if (is_new) continue;
    errors_.report(it.name.range, "a second action `" + it.name.text + "`", "",
                   diag::Note{found->second->name.range, "the first"});
  }
  std::set<std::string> names;
  for (const ThreadDecl& thread : model_.threads) {
    if (thread.edges.empty()) continue;
    const int entry = label(thread.edges[0].from);
    if (model_.has_threads) {
      const bool is_new = names.insert(thread.name.text).second;
      if (!is_new) errors_.report(thread.name.range, "a second thread `" + thread.name.text + "`");
      system_.thread_types.push_back({thread.name.text, entry});
    } else {
      system_.entry = entry;
    }
    edges(thread);
  }
  for (const Use& it : model_.claims) {
    if (it.assertion) {
      errors_.report(it.range, "an assertion is made at a label, not as a claim");
    } else if (const std::optional<int> claim = action(it, true)) {
      system_.claims.push_back(*claim);
    }
  }
}

void Resolver::edges(const ThreadDecl& thread) {
  std::set<std::pair<int, int>> sources;  // of blocks
  for (const EdgeDecl& it : thread.edges) sources.emplace(it.atomic, label(it.from));
  for (const EdgeDecl& it : thread.edges) {
    Edge out;
    out.from = label(it.from);
    out.to = label(it.to);
    out.range = it.use.range;
    out.goes_on = it.atomic >= 0 && sources.contains({it.atomic, out.to});
    out.action = action(it.use, false).value_or(-1);
    system_.edges.push_back(out);
  }
}

}  // namespace concord::engine::shape::tvla

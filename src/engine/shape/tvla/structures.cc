#include "engine/shape/tvla/structures.h"

#include <algorithm>

namespace concord::engine::shape::tvla {

namespace {

// In place of the number of a predicate or node.
constexpr int kUnknown = -1;    // reported
constexpr int kExistence = -2;  // the predicate that always holds

template <class Map>
std::string did_you_mean(const std::string& name, const Map& known) {
  std::vector<std::string> names;
  names.reserve(known.size());
  for (const auto& [it, value] : known) names.push_back(it);
  std::sort(names.begin(), names.end());
  const std::string near = diag::nearest(name, names);
  return near.empty() ? "" : "did you mean `" + near + "`?";
}

std::string written(const Name& name) {
  std::string out = name.word.text;
  if (!name.has_parameters) return out;
  out += '[';
  for (std::size_t i = 0; i < name.parameters.size(); ++i) out += (i > 0 ? "," : "") + written(name.parameters[i]);
  return out + "]";
}

}  // namespace

StructureParser::StructureParser(std::vector<Token> tokens, const System& system, diag::Sink& sink)
    : TokenReader(std::move(tokens), sink), system_(system) {
  for (std::size_t i = 0; i < system.predicates.size(); ++i) {
    predicates_.emplace(system.predicates[i].name, static_cast<int>(i));
  }
  for (const char* name : {"ac", "inac"}) predicates_.emplace(name, kExistence);
  for (std::size_t i = 0; i < system.labels.size(); ++i) labels_.emplace(system.labels[i], static_cast<int>(i));
  for (std::size_t i = 0; i < system.at.size(); ++i) label_of_.emplace(system.at[i], static_cast<int>(i));
  for (const ThreadType& it : system.thread_types) types_.emplace(it.name, &it);
}

std::vector<Given> StructureParser::structures() {
  std::vector<Given> out;
  while (!at_end()) {
    const std::size_t start = at_;
    try {
      structure();
      out.push_back(std::move(given_));
    } catch (const Skipped&) {
      if (at_ == start) advance();
      while (!at_end() && !at_directive("%n") && !at_directive("%t") && !at_directive("%message")) advance();
    }
    accept(TokenKind::kComma);
  }
  return out;
}

void StructureParser::structure() {
  given_ = {};
  nodes_.clear();
  threads_.clear();
  places_.clear();
  given_.range = here();
  for (const char* it : {"%location", "%a", "%d"}) {
    if (at_directive(it)) fail_here("`" + std::string(it) + "` is not supported");
  }
  while (accept_directive("%message")) {  // of TVLA's output
    if (!accept(TokenKind::kString)) fail_expected("a text in quotes");
  }
  if (at_directive("%t")) threads();
  open("%n");
  if (!at(TokenKind::kRightBrace)) {
    do {
      const Word name = node_name();
      const auto found = nodes_.find(name.text);
      const bool is_thread = found != nodes_.end() && static_cast<std::size_t>(found->second) < threads_.size();
      if (!is_thread) add_node(name);
    } while (accept(TokenKind::kComma));
  }
  expect(TokenKind::kRightBrace);
  values();
  if (at_directive("%a")) fail_here("`%a` is not supported");
  complete_threads();
}

// %x = {
void StructureParser::open(const char* directive) {
  if (!accept_directive(directive)) fail_expected("`" + std::string(directive) + "`");
  expect(TokenKind::kAssign);
  expect(TokenKind::kLeftBrace);
}

void StructureParser::threads() {
  if (!system_.has_threads) fail_here("this model has no threads (only .tvm files have)");
  open("%t");
  if (!at(TokenKind::kRightBrace)) {
    do thread();
    while (accept(TokenKind::kComma));
  }
  expect(TokenKind::kRightBrace);
}

void StructureParser::thread() {
  const Word name = node_name();
  expect(TokenKind::kLeftParen);
  const Word type = word("the name of a thread");
  const auto found = types_.find(type.text);
  if (found == types_.end())
    fail(type.range, "there is no thread `" + type.text + "`", did_you_mean(type.text, types_));
  int label = found->second->entry;
  if (accept(TokenKind::kComma)) label = thread_label(*found->second);
  expect(TokenKind::kRightParen);
  const int node = add_node(name);
  if (static_cast<std::size_t>(node) == threads_.size()) threads_.push_back({node, label, name.range, type.text});
}

int StructureParser::thread_label(const ThreadType& type) {
  const Word name = label();
  const auto found = labels_.find(name.text);
  if (found != labels_.end()) return found->second;
  report(name.range, "there is no label `" + name.text + "`", did_you_mean(name.text, labels_));
  return type.entry;
}

// a, a.1, [a,b]
Word StructureParser::node_name() {
  const Level level(*this);
  if (!at(TokenKind::kLeftBracket)) return word("a node");
  Word out{"[", advance()};
  do out.text += (out.text.size() > 1 ? "," : "") + node_name().text;
  while (accept(TokenKind::kComma));
  expect(TokenKind::kRightBracket);
  out.text += "]";
  out.range = since(out.range);
  return out;
}

int StructureParser::add_node(const Word& name) {
  const auto [found, is_new] = nodes_.emplace(name.text, static_cast<int>(given_.nodes.size()));
  if (is_new) {
    given_.nodes.push_back(name.text);
  } else {
    report(name.range, "the node `" + name.text + "` is listed already");
  }
  return found->second;
}

int StructureParser::node() {
  const Word name = node_name();
  const auto found = nodes_.find(name.text);
  if (found != nodes_.end()) return found->second;
  report(name.range, "there is no node `" + name.text + "` in this structure", did_you_mean(name.text, nodes_));
  return kUnknown;
}

void StructureParser::values() {
  open("%p");
  while (!at(TokenKind::kRightBrace)) predicate_values();
  advance();
}

void StructureParser::predicate_values() {
  const Name name = this->name("the name of a predicate or `}`");
  const std::string text = written(name);
  const auto found = predicates_.find(text);
  const int predicate = found == predicates_.end() ? kUnknown : found->second;
  if (predicate == kUnknown)
    report(name.range, "there is no predicate `" + text + "`", did_you_mean(text, predicates_));
  expect(TokenKind::kAssign);
  if (accept(TokenKind::kLeftBrace)) {
    if (accept(TokenKind::kRightBrace)) return;
    do entry(predicate, text);
    while (accept(TokenKind::kComma));
    expect(TokenKind::kRightBrace);
    return;
  }
  const base::SourceRange first = here();
  const Kleene it = value();
  if (predicate == kUnknown) return;
  if (arity(predicate) == 0) return add_value(predicate, {}, it, first);
  report(first, "`" + text + "` has arguments: for which nodes does it hold?", "write `" + text + " = {node}`");
}

// a, a:1/2, a->b, (a,b):1/2
void StructureParser::entry(int predicate, const std::string& name) {
  const base::SourceRange first = here();
  std::vector<int> tuple;
  if (accept(TokenKind::kLeftParen)) {
    do tuple.push_back(node());
    while (accept(TokenKind::kComma));
    expect(TokenKind::kRightParen);
  } else {
    tuple.push_back(node());
    if (accept(TokenKind::kArrow)) tuple.push_back(node());
  }
  const base::SourceRange range = since(first);
  const Kleene it = accept(TokenKind::kColon) ? value() : Kleene::kTrue;
  if (predicate == kUnknown || std::find(tuple.begin(), tuple.end(), kUnknown) != tuple.end()) return;
  const std::size_t wanted = arity(predicate);
  if (wanted != tuple.size()) {
    report(range, "`" + name + "` has " + std::to_string(wanted) + (wanted == 1 ? " argument" : " arguments") +
                      ", but is given " + std::to_string(tuple.size()));
  } else if (!is_refused(predicate, name, it, range)) {
    add_value(predicate, std::move(tuple), it, range);
  }
}

std::size_t StructureParser::arity(int predicate) const {
  return predicate == kExistence
             ? 1
             : static_cast<std::size_t>(system_.predicates[static_cast<std::size_t>(predicate)].arity);
}

// Values that would be passed over otherwise, or never hold.
bool StructureParser::is_refused(int predicate, const std::string& name, Kleene value, base::SourceRange range) {
  if (predicate == kExistence && value != Kleene::kTrue) {
    report(range, "nodes that may not exist are not supported (`" + name + "` is always 1)");
  }
  if (predicate == system_.sm && value == Kleene::kTrue) {
    report(range, "`sm` is 0 or 1/2: a node that may stand for several may stand for one", "write `:1/2`");
    return true;
  }
  return predicate == kExistence;
}

void StructureParser::add_value(int predicate, std::vector<int> tuple, Kleene value, base::SourceRange range) {
  const auto [found, is_new] = places_.emplace(std::pair(predicate, tuple), given_.values.size());
  if (is_new) {
    given_.values.push_back({predicate, std::move(tuple), value, range});
    return;
  }
  if (sink_.is_full()) return;
  sink_.error(range, "this value is given already").notes.push_back({given_.values[found->second].range, "here"});
}

Kleene StructureParser::value_of(int predicate, int node) const {
  const auto found = places_.find({predicate, {node}});
  return found == places_.end() ? Kleene::kFalse : given_.values[found->second].value;
}

// A value that follows from what is said elsewhere; it may be repeated, but not be another one.
void StructureParser::imply(int predicate, int node, Kleene value, base::SourceRange range,
                            const std::string& because) {
  const auto found = places_.find({predicate, {node}});
  if (found == places_.end()) return add_value(predicate, {node}, value, range);
  const Given::Value& it = given_.values[found->second];
  if (it.value == value || sink_.is_full()) return;
  const std::string& name = system_.predicates[static_cast<std::size_t>(predicate)].name;
  const std::string text = value == Kleene::kTrue ? "1" : "1/2";
  sink_.error(it.range, "`" + name + "` is " + text + " here, " + because).notes.push_back({range, "here"});
}

void StructureParser::complete_threads() {
  if (!system_.has_threads) return;
  for (const Thread& it : threads_) {
    imply(system_.is_thread, it.node, Kleene::kTrue, it.range, "since this is a thread");
    imply(system_.at[static_cast<std::size_t>(it.label)], it.node, Kleene::kTrue, it.range,
          "since the thread is there");
  }
  check_labels();
  for (int node = 0; node < static_cast<int>(given_.nodes.size()); ++node) {
    const bool is_ready =
        value_of(system_.is_thread, node) != Kleene::kFalse && value_of(system_.ready, node) != Kleene::kFalse;
    if (!is_ready) continue;
    const base::SourceRange range = given_.values[places_.at({system_.ready, {node}})].range;
    imply(system_.runnable, node, Kleene::kUnknown, range, "since the thread is ready");
  }
}

// A thread of %t is at one label; the nodes of %t have the first numbers.
void StructureParser::check_labels() {
  for (const Given::Value& it : given_.values) {
    const auto label = label_of_.find(it.predicate);
    if (label == label_of_.end() || it.value == Kleene::kFalse) continue;
    const auto node = static_cast<std::size_t>(it.tuple[0]);
    if (node >= threads_.size() || threads_[node].label == label->second || sink_.is_full()) continue;
    const Thread& thread = threads_[node];
    const std::string& place = system_.labels[static_cast<std::size_t>(thread.label)];
    const std::string& other = system_.labels[static_cast<std::size_t>(label->second)];
    const std::string& name = given_.nodes[node];
    sink_
        .error(it.range, "the thread `" + name + "` is at `" + place + "`",
               "write `" + name + "(" + thread.type + ", " + other + ")` in %t")
        .notes.push_back({thread.range, "here"});
  }
}

}  // namespace concord::engine::shape::tvla

#include "infer/original.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace concord::infer {

namespace {

class Telling {
 public:
  Telling(const base::SourceMap& original, const base::Edits& edits)
      : original_(original), edited_(edits.applied(original)), edits_(edits) {
    for (const base::Insertion& it : edits.insertions()) changed_.insert(it.file);
  }

  void tell(base::SourceRange& range) const { range = edits_.before(range); }

  // Each `path:line` and `path:line:column` in a text.
  void tell(std::string& text) const {
    for (const std::uint32_t file : changed_) {
      const std::string& path = original_.file(file).path();
      for (std::size_t at = text.find(path + ":"); at != std::string::npos; at = text.find(path + ":", at + 1)) {
        std::size_t end = at + path.size();
        if (is_end_of_longer(path, std::string_view(text).substr(0, end))) continue;
        const std::size_t begin = end;
        const std::optional<std::uint32_t> line = number_at(text, end);
        const std::optional<std::uint32_t> column = number_at(text, end);
        if (!line || *line == 0 || *line > edited_.file(file).line_count()) continue;
        const base::Position before = original_.file(file).position(offset_before(file, *line, column.value_or(1)));
        text.replace(begin, end - begin,
                     column ? fmt::format(":{}:{}", before.line, before.column) : fmt::format(":{}", before.line));
      }
    }
  }

  void tell(std::vector<std::string>& texts) const {
    for (std::string& it : texts) tell(it);
  }

  void tell(engine::PropertyResult& it) const {
    tell(it.property.claim);
    tell(it.location);
    for (std::string* text : {&it.property.id, &it.depends_on, &it.message, &it.reason}) tell(*text);
    tell(it.uses);
    for (engine::Related& each : it.related) {
      tell(each.location);
      tell(each.message);
    }
    for (engine::TraceStep& each : it.trace.steps) tell(each.location);
    for (engine::StuckThread& each : it.trace.ending) {
      tell(each.location);
      tell(each.text);
    }
  }

 private:
  // Whether a text that ends with a path ends with that of another file, which ends with the former.
  bool is_end_of_longer(const std::string& path, std::string_view text) const {
    for (std::uint32_t file = 0; file < original_.file_count(); ++file) {
      const std::string& other = original_.file(file).path();
      if (other.size() > path.size() && other.ends_with(path) && text.ends_with(other)) return true;
    }
    return false;
  }

  // `:NUMBER` in a text, where `at` is then behind it.
  static std::optional<std::uint32_t> number_at(std::string_view text, std::size_t& at) {
    std::uint32_t number = 0;
    const char* const begin = text.data() + std::min(at + 1, text.size());
    const auto read = std::from_chars(begin, text.data() + text.size(), number);
    if (at >= text.size() || text[at] != ':' || read.ec != std::errc()) return {};
    at = static_cast<std::size_t>(read.ptr - text.data());
    return number;
  }

  std::uint32_t offset_before(std::uint32_t file, std::uint32_t line, std::uint32_t column) const {
    const base::SourceFile& it = edited_.file(file);
    auto offset = static_cast<std::uint32_t>(it.line(line).data() - it.text().data());
    while (offset < it.text().size() && it.position(offset).line == line && it.position(offset).column < column)
      ++offset;
    return edits_.before({file, offset, offset}).begin;
  }

  const base::SourceMap& original_;
  const base::SourceMap edited_;
  const base::Edits& edits_;
  std::set<std::uint32_t> changed_;  // files
};

}  // namespace

check::CheckResult told_of_original(check::CheckResult result, const base::SourceMap& original,
                                    const base::Edits& edits, const std::vector<Candidate>& candidates) {
  std::erase_if(result.results, [&](const engine::PropertyResult& it) { return edits.is_inserted(it.property.claim); });
  const Telling telling(original, edits);
  for (engine::PropertyResult& it : result.results) telling.tell(it);
  for (engine::PropertyResult& it : result.waived) telling.tell(it);
  for (engine::Part& it : result.parts) telling.tell(it.at);
  for (engine::Question& it : result.questions) {
    telling.tell(it.at);
    telling.tell(it.properties);
    telling.tell(it.core);
  }
  for (engine::StateMachine& machine : result.machines) {
    for (engine::StateMachine::Node& it : machine.nodes) telling.tell(it.at);
    for (engine::StateMachine::Edge& it : machine.edges) telling.tell(it.at);
  }
  for (auto* list : {&result.superfluous, &result.notes, &result.inferred, &result.assumptions, &result.left_unchecked})
    telling.tell(*list);
  std::vector<std::string> inferred;
  for (const Candidate& it : candidates) {
    const base::SourceFile& file = original.file(it.insertion.file);
    inferred.push_back(fmt::format("{}:{}: {}", file.path(), file.position(it.insertion.at).line, it.clause));
  }
  result.inferred.insert(result.inferred.begin(), inferred.begin(), inferred.end());
  return result;
}

}  // namespace concord::infer

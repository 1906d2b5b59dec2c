#include "infer/original.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <string>
#include <utility>

namespace concord::infer {

namespace {

class Telling {
 public:
  Telling(const base::SourceMap& original, const base::Edits& edits) : edits_(edits) {
    for (const base::Insertion& it : edits.insertions()) {
      const base::SourceFile& file = original.file(it.file);
      std::vector<std::uint32_t>& lines = lines_[file.path()];
      for (auto more = std::count(it.text.begin(), it.text.end(), '\n'); more > 0; --more) {
        lines.push_back(file.position(it.at).line + static_cast<std::uint32_t>(lines.size()));
      }
    }
  }

  void tell(base::SourceRange& range) const { range = edits_.before(range); }

  // Each `path:line` in a text. The insertions are whole lines, or the last thing on theirs, so columns stay.
  void tell(std::string& text) const {
    for (const auto& [path, lines] : lines_) {
      for (std::size_t at = text.find(path + ":"); at != std::string::npos; at = text.find(path + ":", at + 1)) {
        const std::size_t begin = at + path.size() + 1;
        std::size_t end = begin;
        std::uint32_t line = 0;
        for (; end < text.size() && std::isdigit(static_cast<unsigned char>(text[end])) != 0; ++end) {
          line = line * 10 + static_cast<std::uint32_t>(text[end] - '0');
        }
        if (end == begin) continue;
        const auto inserted = std::lower_bound(lines.begin(), lines.end(), line) - lines.begin();
        text.replace(begin, end - begin, std::to_string(line - static_cast<std::uint32_t>(inserted)));
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
  const base::Edits& edits_;
  std::map<std::string, std::vector<std::uint32_t>> lines_;  // by path: the lines of the edited text that were put in
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

#include "base/edits.h"

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

namespace concord::base {

namespace {

constexpr std::size_t kContext = 3;  // lines around a change

std::vector<std::string> lines_of(std::string_view text) {
  std::vector<std::string> out;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size() - 1) + 1;
    out.emplace_back(text.substr(0, end));
    text.remove_prefix(end);
  }
  return out;
}

// A line of the file, the lines that are inserted before it, and what it is then; empty: as it was.
struct Change {
  std::size_t line;
  std::vector<std::string> added;
  std::string now = {};
};

void add_line(std::string& out, char mark, const std::string& line) {
  out += mark + line;
  if (!line.ends_with('\n')) out += "\n\\ No newline at end of file\n";
}

// Seen from there, and in quotes if its end could not be told otherwise.
std::string name_in_patch(const std::filesystem::path& path, const std::filesystem::path& folder) {
  const std::filesystem::path below = (folder / path).lexically_normal().lexically_relative(folder.lexically_normal());
  const bool is_below = !below.empty() && *below.begin() != "..";
  const std::string name = is_below ? below.string() : path.string();
  if (std::none_of(name.begin(), name.end(), [](char c) { return c == ' ' || c == '"' || c == '\\' || c == '\t'; }))
    return name;
  std::string out = "\"";
  for (const char c : name) out += c == '"' || c == '\\' ? std::string{'\\', c} : c == '\t' ? "\\t" : std::string{c};
  return out + "\"";
}

std::string patch_of(const std::string& name, const std::vector<std::string>& lines,
                     const std::vector<Change>& changes) {
  std::string out = fmt::format("--- {0}\n+++ {0}\n", name);
  std::size_t shift = 0;  // lines added so far
  for (std::size_t first = 0; first < changes.size();) {
    std::size_t last = first;  // changes whose surroundings touch are told together
    while (last + 1 < changes.size() && changes[last + 1].line <= changes[last].line + 2 * kContext) ++last;
    const std::size_t begin = changes[first].line - std::min(changes[first].line, kContext);
    const std::size_t end = std::min(changes[last].line + kContext, lines.size());
    std::string body;
    std::size_t added = 0;
    std::size_t at = begin;
    for (std::size_t i = first; i <= last; ++i) {
      for (; at < changes[i].line; ++at) add_line(body, ' ', lines[at]);
      for (const std::string& it : changes[i].added) add_line(body, '+', it);
      added += changes[i].added.size();
      if (changes[i].now.empty()) continue;
      add_line(body, '-', lines[at++]);
      add_line(body, '+', changes[i].now);
    }
    for (; at < end; ++at) add_line(body, ' ', lines[at]);
    out += fmt::format("@@ -{},{} +{},{} @@\n", begin + 1, end - begin, begin + 1 + shift, end - begin + added) + body;
    shift += added;
    first = last + 1;
  }
  return out;
}

}  // namespace

Edits::Edits(std::vector<Insertion> insertions) : insertions_(std::move(insertions)) {
  std::stable_sort(insertions_.begin(), insertions_.end(), [](const Insertion& a, const Insertion& b) {
    return std::tuple(a.file, a.at) < std::tuple(b.file, b.at);
  });
}

SourceMap Edits::applied(const SourceMap& sources) const {
  SourceMap out;
  for (std::uint32_t file = 0; file < sources.file_count(); ++file) {
    std::string text;
    std::size_t done = 0;
    const std::string_view whole = sources.file(file).text();
    for (const Insertion& it : insertions_) {
      if (it.file != file) continue;
      text += whole.substr(done, it.at - done);
      text += it.text;
      done = it.at;
    }
    text += whole.substr(done);
    out.add(sources.file(file).path(), std::move(text));
  }
  return out;
}

SourceRange Edits::now(SourceRange before) const {
  SourceRange out = before;
  for (const Insertion& it : insertions_) {
    if (it.file != before.file) continue;
    const auto size = static_cast<std::uint32_t>(it.text.size());
    if (it.at <= before.begin) out.begin += size;
    if (it.at < before.end || (it.at == before.begin && it.at == before.end)) out.end += size;
  }
  return out;
}

std::uint32_t Edits::offset_before(std::uint32_t file, std::uint32_t now) const {
  std::uint32_t added = 0;
  for (const Insertion& it : insertions_) {
    if (it.file != file) continue;
    const std::uint32_t begin = it.at + added;
    if (now < begin) break;
    const auto size = static_cast<std::uint32_t>(it.text.size());
    if (now < begin + size) return it.at;
    added += size;
  }
  return now - added;
}

SourceRange Edits::before(SourceRange now) const {
  return {now.file, offset_before(now.file, now.begin), offset_before(now.file, now.end)};
}

SourceRange Edits::inserted(std::size_t which) const {
  std::uint32_t added = 0;
  for (std::size_t i = 0; i < which; ++i) {
    if (insertions_[i].file == insertions_[which].file) added += static_cast<std::uint32_t>(insertions_[i].text.size());
  }
  const std::uint32_t begin = insertions_[which].at + added;
  return {insertions_[which].file, begin, begin + static_cast<std::uint32_t>(insertions_[which].text.size())};
}

std::optional<std::size_t> Edits::insertion_at(SourceRange now) const {
  for (std::size_t i = 0; i < insertions_.size(); ++i) {
    const SourceRange it = inserted(i);
    if (it.file == now.file && it.begin <= now.begin && now.begin < it.end) return i;
  }
  return {};
}

std::string unified_patch(const SourceMap& sources, const Edits& edits, const std::filesystem::path& folder) {
  std::string out;
  for (std::uint32_t file = 0; file < sources.file_count(); ++file) {
    const std::string_view text = sources.file(file).text();
    const std::vector<std::string> lines = lines_of(text);
    std::vector<Change> changes;
    std::size_t longer = 0;  // what the line at hand has become
    for (const Insertion& it : edits.insertions()) {
      if (it.file != file) continue;
      const std::size_t line = sources.file(file).position(it.at).line - 1;
      if (changes.empty() || changes.back().line != line) {
        changes.push_back({line, {}});
        longer = 0;
      }
      Change& change = changes.back();
      if (it.text.ends_with('\n')) {
        for (std::string& added : lines_of(it.text)) change.added.push_back(std::move(added));
        continue;
      }
      if (change.now.empty()) change.now = lines[line];
      const std::size_t begin = it.at == 0 ? 0 : text.rfind('\n', it.at - 1) + 1;
      change.now.insert(it.at - begin + longer, it.text);
      longer += it.text.size();
    }
    if (!changes.empty()) out += patch_of(name_in_patch(sources.file(file).path(), folder), lines, changes);
  }
  return out;
}

}  // namespace concord::base

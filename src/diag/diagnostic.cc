#include "diag/diagnostic.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <utility>

namespace concord::diag {

namespace {

constexpr std::size_t kWidestLine = 110;            // in characters; longer lines are cut around the caret
constexpr std::size_t kFurthest = 4 * kWidestLine;  // in bytes: enough for kWidestLine characters
constexpr std::size_t kLongestGuess = 100;          // words longer than this are not worth a guess

struct Character {
  std::uint32_t code = 0;
  std::size_t bytes = 1;
  bool valid = false;
};

// Decodes the UTF-8 character at the start of `text`, which is not empty. An invalid one is one byte long.
Character decode(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<std::uint32_t>(static_cast<unsigned char>(text[i])); };
  const std::uint32_t lead = byte(0);
  if (lead < 0x80U) return {lead, 1, true};
  const std::size_t length = lead >= 0xF0U ? 4 : lead >= 0xE0U ? 3 : 2;
  if (lead < 0xC2U || lead > 0xF4U || text.size() < length) return {};
  std::uint32_t code = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  return {code, length, true};
}

// Characters that could move the cursor, recolour the terminal or reorder the line must not reach it.
bool is_harmless(std::uint32_t code) {
  if (code < 0x20U || (code >= 0x7FU && code < 0xA0U)) return false;
  const bool reorders = (code >= 0x200BU && code <= 0x200FU) || (code >= 0x2028U && code <= 0x202EU) ||
                        (code >= 0x2060U && code <= 0x2069U) || code == 0xFEFFU;
  return !reorders;
}

struct Line {
  std::vector<std::string> characters;  // each as it may be shown
  std::size_t caret = 0;                // index of the first marked character; may be one past the last
  std::size_t caret_end = 0;            // one past the last marked character
};

Line decode_line(std::string_view text, std::size_t mark_begin, std::size_t mark_end) {
  Line line;
  std::size_t i = 0;
  while (i < text.size()) {
    if (i <= mark_begin) line.caret = line.characters.size();
    if (i < mark_end) line.caret_end = line.characters.size() + 1;
    const Character character = decode(text.substr(i));
    const bool shown = character.valid && (character.code == '\t' || is_harmless(character.code));
    line.characters.push_back(shown ? std::string(text.substr(i, character.bytes)) : "?");
    i += character.bytes;
  }
  if (mark_begin >= text.size()) line.caret = line.characters.size();
  line.caret_end = std::max(line.caret_end, line.caret + 1);
  return line;
}

std::string render_note(const base::SourceMap& sources, base::SourceRange range, const std::string& text) {
  if (range.file >= sources.file_count()) return text + "\n";
  return sources.place(range) + ": " + text + "\n" + snippet(sources, range);
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  // Optimal string alignment: insert, delete, replace, swap neighbours. Rows i-2, i-1 and i of the usual table.
  std::vector<std::size_t> before_last(b.size() + 1), last(b.size() + 1), row(b.size() + 1);
  for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (std::size_t i = 1; i <= a.size(); ++i) {
    before_last.swap(last);
    last.swap(row);
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t replaced = last[j - 1] + (a[i - 1] == b[j - 1] ? 0 : 1);
      row[j] = std::min({last[j] + 1, row[j - 1] + 1, replaced});
      const bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = std::min(row[j], before_last[j - 2] + 1);
    }
  }
  return row[b.size()];
}

}  // namespace

Diagnostic& Sink::error(base::SourceRange range, std::string message, std::string hint) {
  errors_.push_back({range, std::move(message), std::move(hint), {}});
  return errors_.back();
}

std::string render(const base::SourceMap& sources, const Diagnostic& diagnostic) {
  std::string text = render_note(sources, diagnostic.range, "error: " + diagnostic.message);
  for (const Note& note : diagnostic.notes) text += render_note(sources, note.range, "note: " + note.message);
  if (!diagnostic.hint.empty()) text += "hint: " + diagnostic.hint + "\n";
  return text;
}

std::string snippet(const base::SourceMap& sources, base::SourceRange range) {
  if (range.file >= sources.file_count()) return "";
  const base::SourceFile& file = sources.file(range.file);
  const std::string_view whole = file.line(file.position(range.begin).line);
  const auto line_begin = static_cast<std::size_t>(whole.data() - file.text().data());
  const std::size_t mark_begin = std::min(range.begin - line_begin, whole.size());
  const std::size_t mark_end = std::max<std::size_t>(range.end, range.begin) - line_begin;
  // Of a very long line only the neighbourhood of the caret is decoded.
  std::size_t skipped = mark_begin > kFurthest ? mark_begin - kFurthest : 0;
  while (skipped > 0 && (static_cast<unsigned char>(whole[skipped]) & 0xC0U) == 0x80U && skipped < mark_begin)
    ++skipped;
  const std::string_view text = whole.substr(skipped, 2 * kFurthest);
  const Line line = decode_line(text, mark_begin - skipped, mark_end - skipped);

  const std::size_t count = line.characters.size();
  std::size_t first = 0;
  std::size_t last = count;
  if (count > kWidestLine) {
    first = line.caret > kWidestLine / 2 ? line.caret - kWidestLine / 2 : 0;
    first = std::min(first, count - kWidestLine);
    last = first + kWidestLine;
  }
  const bool cut_before = skipped + first > 0;
  const bool cut_after = last < count || skipped + text.size() < whole.size();
  std::string shown = cut_before ? "…" : "";
  std::string marks = cut_before ? " " : "";
  for (std::size_t i = first; i < last; ++i) {
    shown += line.characters[i];
    if (i < line.caret) marks += line.characters[i] == "\t" ? '\t' : ' ';
  }
  if (cut_after) shown += "…";
  marks += '^';
  if (const std::size_t end = std::min(line.caret_end, last); end > line.caret + 1) {
    marks.append(end - line.caret - 1, '~');
  }
  return shown + "\n" + marks + "\n";
}

std::string nearest(const std::string& word, const std::vector<std::string>& candidates) {
  if (word.size() > kLongestGuess) return "";
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(1, word.size() / 3) + 1;
  for (const std::string& candidate : candidates) {
    const std::size_t longer = std::max(word.size(), candidate.size());
    const std::size_t shorter = std::min(word.size(), candidate.size());
    if (longer - shorter >= best_distance) continue;
    const std::size_t distance = edit_distance(word, candidate);
    // A guess that shares nothing with the word is no help: `x` is not `y`.
    if (distance < best_distance && distance < shorter) {
      best = candidate;
      best_distance = distance;
    }
  }
  return best;
}

}  // namespace concord::diag

#include "report/interleaving.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <vector>

#include "report/columns.h"

namespace concord::report {

using engine::Trace;
using engine::TraceStep;

namespace {

constexpr int kLeastColumn = 14;  // narrower than this nobody can read an operation
constexpr const char* kGap = "  ";
constexpr const char* kLine = "│ ";  // in place of a gap, and as wide
constexpr int kGapWidth = 2;

std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return c == '\t' || c == '\n' || c == '\r'; }, ' ');
  return text;
}

std::string effect(const TraceStep& step) {
  const std::string changes = to_text(step.changes);
  if (step.note.empty()) return changes;
  return changes.empty() ? step.note : changes + "; " + step.note;
}

bool in_several_files(const Trace& trace) {
  return std::any_of(trace.steps.begin(), trace.steps.end(),
                     [&](const TraceStep& step) { return step.location.file != trace.steps.front().location.file; });
}

// "12", or "b.plato:12" if the steps are in several files.
std::string line_of(const base::SourceMap& sources, const TraceStep& step, bool with_file) {
  const std::string line = std::to_string(sources.position(step.location).line);
  if (!with_file) return line;
  return std::filesystem::path(sources.file(step.location.file).path()).filename().string() + ":" + line;
}

void append_line(std::string& text, std::string line) {
  line.erase(line.find_last_not_of(' ') + 1);
  text += line + "\n";
}

// What both layouts print, each string on one line.
struct Row {
  std::string number;
  std::string line;
  std::size_t column;  // which of the threads that take a step
  std::string operation;
  std::string effect;
};

struct Table {
  std::vector<std::string> threads;  // those that take a step, in the order of the trace
  std::vector<std::string> idle;
  std::vector<Row> rows;
  int number_width = 4;  // of "step"
  int line_width = 4;    // of "line"
  int left() const { return kGapWidth + number_width + kGapWidth + line_width + kGapWidth; }
};

Table table_of(const base::SourceMap& sources, const Trace& trace) {
  Table table;
  std::vector<std::string> order = trace.threads;
  const auto takes_step = [&](const std::string& thread) {
    return std::any_of(trace.steps.begin(), trace.steps.end(), [&](const TraceStep& s) { return s.thread == thread; });
  };
  for (const TraceStep& step : trace.steps) {
    if (std::find(order.begin(), order.end(), step.thread) == order.end()) order.push_back(step.thread);
  }
  for (const std::string& thread : order) (takes_step(thread) ? table.threads : table.idle).push_back(thread);

  const bool with_file = in_several_files(trace);
  for (const TraceStep& step : trace.steps) {
    const auto column = std::find(table.threads.begin(), table.threads.end(), step.thread) - table.threads.begin();
    table.rows.push_back({std::to_string(table.rows.size() + 1), line_of(sources, step, with_file),
                          static_cast<std::size_t>(column), one_line(step.text), one_line(effect(step))});
    table.number_width = std::max(table.number_width, width(table.rows.back().number));
    table.line_width = std::max(table.line_width, width(table.rows.back().line));
  }
  return table;
}

std::vector<int> wanted_widths(const Table& table) {
  std::vector<int> wanted;
  for (const std::string& thread : table.threads) wanted.push_back(width(thread));
  wanted.push_back(width("changes"));
  for (const Row& row : table.rows) {
    wanted[row.column] = std::max(wanted[row.column], width(row.operation));
    wanted.back() = std::max(wanted.back(), width(row.effect));
  }
  return wanted;
}

std::string left_cells(const Table& table, const std::string& number, const std::string& line, const char* gap) {
  return kGap + pad_left(number, table.number_width) + kGap + pad_left(line, table.line_width) + gap;
}

std::string repeated(const char* character, int times) {
  std::string out;
  for (int i = 0; i < times; ++i) out += character;
  return out;
}

// "────┼────": below the header, as wide as the columns.
std::string rule(const Table& table, const std::vector<int>& widths) {
  std::string out = kGap + repeated("─", table.left() - 2 * kGapWidth);
  for (const int it : widths) out += "┼" + repeated("─", it + kGapWidth - 1);
  return out;
}

std::string in_columns(const Table& table, const std::vector<int>& widths, bool lines) {
  const char* const gap = lines ? kLine : kGap;
  std::string text;
  std::string header = left_cells(table, "step", "line", gap);
  for (std::size_t i = 0; i < table.threads.size(); ++i) header += pad(table.threads[i], widths[i]) + gap;
  append_line(text, header + "changes");
  if (lines) append_line(text, rule(table, widths));
  for (const Row& row : table.rows) {
    const std::vector<std::string> operation = wrap(row.operation, widths[row.column]);
    const std::vector<std::string> effects = wrap(row.effect, widths.back());
    for (std::size_t line = 0; line < std::max(operation.size(), effects.size()); ++line) {
      std::string cells = line == 0 ? left_cells(table, row.number, row.line, gap) : left_cells(table, "", "", gap);
      for (std::size_t i = 0; i < table.threads.size(); ++i) {
        const bool here = i == row.column && line < operation.size();
        cells += pad(here ? operation[line] : "", widths[i]) + gap;
      }
      append_line(text, cells + (line < effects.size() ? effects[line] : ""));
    }
  }
  return text;
}

// Used when the columns do not fit: "   3  worker#2    12  x = t + 1;  // x = 1".
std::string one_per_line(const Table& table, int total_width) {
  int name_width = 0;
  for (const std::string& thread : table.threads) name_width = std::max(name_width, width(thread));
  std::string text;
  for (const Row& row : table.rows) {
    const std::string before = kGap + pad_left(row.number, table.number_width) + kGap +
                               pad(table.threads[row.column], name_width) + kGap +
                               pad_left(row.line, table.line_width) + kGap;
    const std::string comment = row.effect.empty() ? "" : "// " + row.effect;
    if (width(before) + width(row.operation) + kGapWidth + width(comment) <= total_width) {
      append_line(text, before + row.operation + kGap + comment);
      continue;
    }
    const int rest = std::max(kLeastColumn, total_width - width(before));
    std::vector<std::string> lines = wrap(row.operation, rest);
    if (!comment.empty()) {
      for (const std::string& line : wrap(comment, rest - kGapWidth)) lines.push_back(kGap + line);
    }
    for (std::size_t i = 0; i < lines.size(); ++i) {
      append_line(text, (i == 0 ? before : std::string(static_cast<std::size_t>(width(before)), ' ')) + lines[i]);
    }
  }
  return text;
}

std::string joined(const std::vector<std::string>& words) { return fmt::format("{}", fmt::join(words, ", ")); }

}  // namespace

std::string to_text(const engine::Changes& changes) {
  std::vector<std::string> parts;
  for (const auto& [location, value] : changes) parts.push_back(location + " = " + value);
  return joined(parts);
}

std::vector<std::string> to_text(const std::vector<engine::StuckThread>& ending) {
  std::vector<std::string> lines;
  for (std::size_t i = 0; i < ending.size(); ++i) {
    const bool goes_on = i > 0 && ending[i].thread == ending[i - 1].thread;
    const std::string what = "`" + ending[i].text + "`" + ending[i].detail;
    if (goes_on) {
      lines.back() += ", or " + what;
    } else {
      lines.push_back(ending[i].thread + " waits at " + what);
    }
  }
  return lines;
}

std::string interleaving(const base::SourceMap& sources, const Trace& trace, int total_width, bool lines) {
  std::string text;
  if (!trace.initial.empty()) {
    for (const std::string& line : wrap("initially " + to_text(trace.initial), total_width - kGapWidth)) {
      append_line(text, kGap + line);
    }
  }
  if (!trace.steps.empty()) {
    const Table table = table_of(sources, trace);
    const int gaps = kGapWidth * static_cast<int>(table.threads.size());
    const std::vector<int> widths = fit(wanted_widths(table), total_width - table.left() - gaps, kLeastColumn);
    text += widths.empty() ? one_per_line(table, total_width) : in_columns(table, widths, lines);
    if (!table.idle.empty()) append_line(text, fmt::format("{}no step of {}", kGap, joined(table.idle)));
  } else if (!trace.empty()) {
    append_line(text, fmt::format("{}no step: it is so from the start", kGap));
  }
  for (const std::string& line : to_text(trace.ending)) append_line(text, kGap + line);
  return text;
}

}  // namespace concord::report

#include "engine/shape/tvla/preprocess.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <utility>

#include "engine/shape/tvla/condition.h"
#include "engine/shape/tvla/macros.h"

namespace concord::engine::shape::tvla {

namespace {

constexpr std::size_t kMostBytes = 4U << 20U;  // of all files, as often as they are included
constexpr std::size_t kMostIncludes = 1000;
constexpr std::size_t kMostNesting = 50;  // of includes

std::string folder_of(const std::string& path) { return std::filesystem::path(path).parent_path().string(); }

std::string inside(const std::string& folder, const std::string& name) {
  return (std::filesystem::path(folder) / name).lexically_normal().string();
}

class Preprocessor {
 public:
  Preprocessor(base::SourceMap& sources, const FileReader& files, diag::Sink& sink)
      : sources_(sources), files_(files), sink_(sink), macros_(sink) {}

  void define(const std::vector<std::string>& definitions);
  Text run(const std::string& path);

 private:
  // An #if that is open.
  struct Branch {
    base::SourceRange range;
    bool is_active = true;
    bool was_active = true;  // this or an earlier branch
    bool has_else = false;
  };
  struct Line {
    const Text& text;
    std::size_t at;  // after the name of the directive
    base::SourceRange name;
  };

  std::optional<std::uint32_t> open(const std::string& path);
  void file(std::uint32_t index);
  void flush();
  void directive(const Text& line);
  bool conditional(const std::string& name, Line& line);
  void otherwise(const Line& line);
  void read_define(Line& line);
  std::optional<std::vector<std::string>> parameters(Line& line);
  void read_include(Line& line);
  void include(const std::string& name, base::SourceRange range);
  std::string word(Line& line, const char* what);
  bool is_active() const { return branches_.empty() || branches_.back().is_active; }
  bool gave_up() const { return gave_up_ || macros_.gave_up() || sink_.is_full(); }

  base::SourceMap& sources_;
  const FileReader& files_;
  diag::Sink& sink_;
  Macros macros_;
  std::map<std::string, std::uint32_t> opened_;
  std::vector<std::string> including_;  // the files we are in
  std::string main_folder_;
  std::vector<Branch> branches_;  // of this file
  Text chunk_;                    // since the last directive: the arguments of a macro may be on several lines
  Text out_;
  std::size_t bytes_ = 0;
  std::size_t includes_ = 0;
  bool gave_up_ = false;
};

void skip_blanks(const Text& text, std::size_t& at) {
  while (at < text.size() && is_blank(text[at])) ++at;
}

void Preprocessor::define(const std::vector<std::string>& definitions) {
  for (const std::string& it : definitions) {
    const std::size_t equals = it.find('=');
    const std::string body = equals == std::string::npos ? "1" : it.substr(equals + 1);
    const std::uint32_t file = sources_.add("-D " + it.substr(0, equals), body);
    macros_.define(it.substr(0, equals), {std::nullopt, clean(sources_, file, sink_)});
  }
}

Text Preprocessor::run(const std::string& path) {
  main_folder_ = folder_of(path);
  if (const std::optional<std::uint32_t> index = open(path)) {
    file(*index);
    out_.end_at({*index, static_cast<std::uint32_t>(sources_.file(*index).text().size())});
  } else {
    const std::uint32_t missing = sources_.add(path, "");
    sink_.error({missing, 0, 0}, "this file cannot be read");
    out_.end_at({missing, 0});
  }
  return std::move(out_);
}

std::optional<std::uint32_t> Preprocessor::open(const std::string& path) {
  if (const auto found = opened_.find(path); found != opened_.end()) return found->second;
  std::optional<std::string> text = files_(path);
  if (!text) return std::nullopt;
  if (text->size() > kMostBytes) text->resize(kMostBytes + 1);
  return opened_[path] = sources_.add(path, std::move(*text));
}

void Preprocessor::file(std::uint32_t index) {
  bytes_ += sources_.file(index).text().size();
  if (bytes_ > kMostBytes) {
    sink_.error({index, 0, 0}, "the files are larger than " + std::to_string(kMostBytes >> 20U) + " MB together");
    gave_up_ = true;
  }
  if (gave_up()) return;
  std::vector<Branch> outer = std::exchange(branches_, {});
  including_.push_back(sources_.file(index).path());
  const Text text = clean(sources_, index, sink_);
  for (std::size_t begin = 0; begin < text.size() && !gave_up();) {
    const std::size_t end = std::min(text.view().find('\n', begin), text.size() - 1) + 1;
    std::size_t first = begin;
    skip_blanks(text, first);
    if (first < end && text[first] == '#') {
      directive(text.part(first, text[end - 1] == '\n' ? end - 1 : end));
    } else if (is_active()) {
      chunk_.add(text, begin, end);
    }
    begin = end;
  }
  flush();
  for (const Branch& branch : branches_) {
    if (!gave_up()) sink_.error(branch.range, "this has no `#endif`");
  }
  including_.pop_back();
  branches_ = std::move(outer);
}

void Preprocessor::flush() { macros_.expand(std::exchange(chunk_, {}), out_); }

void Preprocessor::directive(const Text& line) {
  std::size_t at = 1;
  skip_blanks(line, at);
  const std::size_t begin = at;
  while (at < line.size() && is_macro_letter(line[at])) ++at;
  const std::string name(line.view(begin, at));
  Line rest{line, at, base::SourceRange(line.range(0, at))};
  if (conditional(name, rest) || !is_active()) return;
  if (name == "define") return read_define(rest);
  if (name == "include") return read_include(rest);
  sink_.error(rest.name, "`#" + name + "` is not supported", name == "elif" ? "write an `#if` inside the `#else`" : "");
}

bool Preprocessor::conditional(const std::string& name, Line& line) {
  const bool is_if = name == "if" || name == "ifdef" || name == "ifndef";
  const bool is_else = name == "else" || name == "elseif";
  if (!is_if && !is_else && name != "endif") return false;
  flush();
  if (is_if) {
    bool holds = false;
    if (is_active() && name == "if") holds = condition_holds(line.text.part(line.at, line.text.size()), macros_, sink_);
    if (is_active() && name != "if") holds = macros_.has(word(line, "the name of a macro")) == (name == "ifdef");
    branches_.push_back({line.name, holds, holds || !is_active(), false});
  } else if (branches_.empty()) {
    sink_.error(line.name, "`#" + name + "` without an `#if` before it");
  } else if (is_else) {
    otherwise(line);
  } else {
    branches_.pop_back();
  }
  return true;
}

void Preprocessor::otherwise(const Line& line) {
  Branch& branch = branches_.back();
  if (branch.has_else) { sink_.error(line.name, "a second `#else`").notes.push_back({branch.range, "for this"}); }
  branch.is_active = !branch.was_active;
  branch.was_active = true;
  branch.has_else = true;
}

std::string Preprocessor::word(Line& line, const char* what) {
  skip_blanks(line.text, line.at);
  const std::size_t begin = line.at;
  if (begin < line.text.size() && is_letter(line.text[begin])) {
    while (line.at < line.text.size() && is_macro_letter(line.text[line.at])) ++line.at;
  }
  if (line.at == begin) sink_.error(line.text.range(begin, begin + 1), std::string("expected ") + what);
  return std::string(line.text.view(begin, line.at));
}

void Preprocessor::read_define(Line& line) {
  flush();
  const std::string name = word(line, "the name of a macro");
  if (name.empty()) return;
  Macro macro;
  if (line.at < line.text.size() && line.text[line.at] == '(') {
    macro.parameters = parameters(line);
    if (!macro.parameters) return;
  }
  skip_blanks(line.text, line.at);
  std::size_t end = line.text.size();
  while (end > line.at && is_blank(line.text[end - 1])) --end;
  macro.body = line.text.part(line.at, end);
  macros_.define(name, std::move(macro));
}

std::optional<std::vector<std::string>> Preprocessor::parameters(Line& line) {
  std::vector<std::string> names;
  const auto accept = [&](char c) {
    skip_blanks(line.text, line.at);
    if (line.at >= line.text.size() || line.text[line.at] != c) return false;
    ++line.at;
    return true;
  };
  accept('(');
  if (accept(')')) return names;
  do {
    names.push_back(word(line, "the name of a parameter"));
    if (names.back().empty()) return std::nullopt;
  } while (accept(','));
  if (accept(')')) return names;
  sink_.error(line.text.range(line.at, line.at + 1), "expected `,` or `)`");
  return std::nullopt;
}

void Preprocessor::read_include(Line& line) {
  flush();
  skip_blanks(line.text, line.at);
  const std::size_t begin = line.at;
  const std::size_t end = line.text.view().find('"', begin + 1);
  if (begin >= line.text.size() || line.text[begin] != '"' || end == std::string_view::npos) {
    sink_.error(line.text.range(begin, begin + 1), "expected the name of a file in quotes");
    return;
  }
  include(std::string(line.text.view(begin + 1, end)), line.text.range(begin, end + 1));
}

void Preprocessor::include(const std::string& name, base::SourceRange range) {
  std::string path = inside(main_folder_, name);
  std::optional<std::uint32_t> index = open(path);
  if (!index) {
    path = inside(folder_of(including_.back()), name);
    index = open(path);
  }
  if (!index) {
    sink_.error(range, "the file `" + name + "` cannot be read");
    return;
  }
  const bool is_inside = std::find(including_.begin(), including_.end(), path) != including_.end();
  if (is_inside || ++includes_ > kMostIncludes || including_.size() >= kMostNesting) {
    sink_.error(range, is_inside ? "this file includes itself" : "too many files are included");
    gave_up_ = true;
    return;
  }
  file(*index);
}

}  // namespace

Text preprocess(base::SourceMap& sources, const std::string& path, const FileReader& files,
                const std::vector<std::string>& definitions, diag::Sink& sink) {
  Preprocessor run(sources, files, sink);
  run.define(definitions);
  return run.run(path);
}

}  // namespace concord::engine::shape::tvla

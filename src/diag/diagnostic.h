// What we tell a user about input that is wrong: a message at a place, notes that lead elsewhere, and a hint.
//
// The reader and the checker of well-formedness collect diagnostics in a Sink and go on where that makes sense. Rendering is
// separate, so that tests can look at either.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"

namespace concord::diag {

struct Note {
  base::SourceRange range;
  std::string message;
};

struct Diagnostic {
  base::SourceRange range;
  std::string message;
  std::string hint;  // "did you mean …", the next step; may be empty
  std::vector<Note> notes;
};

class Sink {
 public:
  Diagnostic& error(base::SourceRange range, std::string message, std::string hint = "");
  bool has_errors() const { return !errors_.empty(); }
  const std::vector<Diagnostic>& errors() const { return errors_; }
  // After this many errors the reader and the checker give up.
  static constexpr std::size_t kMostErrors = 50;
  bool is_full() const { return errors_.size() >= kMostErrors; }

 private:
  std::vector<Diagnostic> errors_;
};

// "path:line:column: error: message", the source line, a caret under the range, then notes and the hint.
std::string render(const base::SourceMap& sources, const Diagnostic& diagnostic);
// The source line with a caret line under it, each ended by a newline. Tabs are kept; long lines are cut around the caret.
std::string snippet(const base::SourceMap& sources, base::SourceRange range);

// The candidate nearest to `word` (edit distance at most a third of its length, at least 1), or "".
std::string nearest(const std::string& word, const std::vector<std::string>& candidates);

}  // namespace concord::diag

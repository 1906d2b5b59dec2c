// Reads `.plato` text (docs/plato.md, section 9) into the syntax tree: a hand-written lexer and Pratt parser.
//
// Errors go to the sink, several per run: after an error the reader goes on at the next statement or declaration. The
// result is meaningful only if the sink has no error. Nesting is limited (kMostNesting), so that everything after the
// reader may recurse over the tree.
#pragma once

#include "base/source.h"
#include "diag/diagnostic.h"
#include "plato/syntax.h"

namespace concord::plato {

inline constexpr int kMostNesting = 1000;  // depth of the tree, long operator chains included
inline constexpr std::size_t kMostBytes = 64U << 20U;

// Appends the declarations of the file to `program` (several files make one program).
void read(const base::SourceMap& sources, std::uint32_t file, Program& program, diag::Sink& sink);

// Every word with a meaning of its own; used for "did you mean".
const std::vector<std::string>& reserved_words();

}  // namespace concord::plato

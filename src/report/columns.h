// Text in columns. Widths are counted in characters (UTF-8 code points), not bytes.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace concord::report {

int width(std::string_view text);

// `text` and as many spaces as it takes to fill `columns`; longer text is left alone.
std::string pad(std::string_view text, int columns);
std::string pad_left(std::string_view text, int columns);

// For a terminal that has no other characters: `…` as three dots, and what has no likeness as a question mark.
std::string ascii(std::string_view text);

// Lines of at most `columns` characters, broken at spaces where there are any, else behind a parenthesis, a comma or before
// a dot; all but the first are indented by two.
std::vector<std::string> wrap(std::string_view text, int columns);

// Prose made for a hundred columns, in `columns`: paragraphs and list items are filled anew, a line with columns of its own is
// continued below the last of them, what is indented by four (programs) stays as it is. Text that fits is left alone.
std::string fitted(std::string_view text, int columns);

// Widths for columns that would like to have `wanted` characters, so that their sum is at most `available`: the narrow
// ones get what they want, the others share the rest. Empty if some column would get less than `least` and less than
// it wants.
std::vector<int> fit(const std::vector<int>& wanted, int available, int least);

}  // namespace concord::report

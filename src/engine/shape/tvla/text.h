// Text of which every character knows where it was written, through includes and macros.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"
#include "diag/diagnostic.h"

namespace concord::engine::shape::tvla {

struct Place {
  std::uint32_t file = 0;
  std::uint32_t offset = 0;
};

class Text {
 public:
  std::size_t size() const { return characters_.size(); }
  char operator[](std::size_t i) const { return characters_[i]; }
  std::string_view view() const { return characters_; }
  std::string_view view(std::size_t begin, std::size_t end) const { return view().substr(begin, end - begin); }
  // Where the first of these characters was written, and as many of the others as follow it there.
  base::SourceRange range(std::size_t begin, std::size_t end) const;

  void add(char c, Place place) {
    characters_ += c;
    places_.push_back(place);
  }
  void add(const Text& other, std::size_t begin, std::size_t end);
  void add(const Text& other) { add(other, 0, other.size()); }
  Text part(std::size_t begin, std::size_t end) const;
  void cut_to(std::size_t size);
  // What is said to be the place after the last character.
  void end_at(Place end) { end_ = end; }

 private:
  std::string characters_;
  std::vector<Place> places_;
  Place end_;
};

bool is_blank(char c);  // in a line
bool is_digit(char c);
bool is_letter(char c);        // that an identifier may begin with: `$` too
bool is_macro_letter(char c);  // that the name of a macro may go on with

// The file without comments (each is a blank) and with lines that end in `\` joined to the next.
Text clean(const base::SourceMap& sources, std::uint32_t file, diag::Sink& sink);

}  // namespace concord::engine::shape::tvla

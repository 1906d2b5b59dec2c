// The text of a proof as a tree (docs/proofs.md): words, quoted text, and lists of these in parentheses.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"
#include "diag/diagnostic.h"

namespace concord::replay {

struct Item {
  enum class Kind { kWord, kText, kList };
  Kind kind = Kind::kList;
  std::string text;  // kWord, kText
  std::vector<Item> items;
  base::SourceRange at;

  bool is_list(const char* head) const {
    return kind == Kind::kList && !items.empty() && items.front().kind == Kind::kWord && items.front().text == head;
  }
};

// What is malformed in the text, where: thrown while it is understood, caught by read_proof().
struct Malformed {
  base::SourceRange at;
  std::string what;
};

inline constexpr int kMostDepth = 2000;

// The lists of the file, one after the other. Throws Malformed.
std::vector<Item> read_items(const base::SourceMap& sources, std::uint32_t file);

// The tree as text, lists deeper than `depth` folded to their heads and how many there are below; 0: nothing is folded.
std::string print_items(const std::vector<Item>& items, int depth);

}  // namespace concord::replay

// A saved proof: the program that it is about, and the tree of rules (docs/proofs.md).
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "base/source.h"
#include "plato/syntax.h"
#include "replay/tree.h"

namespace concord::replay {

struct Proof {
  base::SourceMap sources;  // the proof itself, then the program's files
  std::vector<Item> items;
  plato::Program program;
  std::vector<std::string> hashes;  // of the program's files
  std::string errors;               // what is malformed; then nothing else counts

  std::string solver;
  bool has_java_ints = false;
  std::optional<std::int64_t> threads;

  // The list with that head; Malformed if there is none, or another one.
  const Item& part(const char* head) const;
};

Proof read_proof(const std::string& path, std::string text);

// Lists, words and texts in an item, each Malformed if it is something else.
const Item& list_at(const Item& item, std::size_t index);
const std::string& word_at(const Item& item, std::size_t index);
const std::string& text_at(const Item& item, std::size_t index);
std::int64_t number_at(const Item& item, std::size_t index);

}  // namespace concord::replay

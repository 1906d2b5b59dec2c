#include "replay/proof.h"

#include <fmt/format.h>

#include <charconv>
#include <set>
#include <string>

#include "base/sha256.h"
#include "plato/reader.h"
#include "plato/wellformed.h"

namespace concord::replay {

namespace {

constexpr const char* kVersion = "1";

const Item& at(const Item& item, std::size_t index, Item::Kind kind, const char* what) {
  if (item.kind != Item::Kind::kList || index >= item.items.size())
    throw Malformed{item.at, fmt::format("{} is missing here", what)};
  if (item.items[index].kind != kind) throw Malformed{item.items[index].at, fmt::format("{} is expected here", what)};
  return item.items[index];
}

void read_header(Proof& proof) {
  if (proof.items.empty() || !proof.items.front().is_list("concord-proof"))
    throw Malformed{{0, 0, 0}, "this is no proof of Concord's: it does not begin with (concord-proof 1)"};
  if (word_at(proof.items.front(), 1) != kVersion)
    throw Malformed{proof.items.front().at, "only version 1 of proofs is known"};
  proof.solver = word_at(proof.part("solver"), 1);
  const std::string& ints = word_at(proof.part("integers"), 1);
  if (ints != "math" && ints != "java") throw Malformed{proof.part("integers").at, "integers are `math` or `java`"};
  proof.has_java_ints = ints == "java";
  for (const Item& it : proof.items) {
    if (it.is_list("threads")) proof.threads = number_at(it, 1);
  }
}

// (source "NAME" SHA256 "TEXT")
void read_program(Proof& proof) {
  diag::Sink sink;
  std::set<std::string> names;
  for (const Item& it : proof.items) {
    if (!it.is_list("source")) continue;
    const std::string& text = text_at(it, 3);
    if (base::sha256(text) != word_at(it, 2))
      throw Malformed{it.items[2].at, "the text of the program is not the one that this is the hash of"};
    // Claims are called by the name of the file that they are in.
    if (!names.insert(text_at(it, 1)).second) throw Malformed{it.items[1].at, "there are two files of this name"};
    proof.hashes.push_back(it.items[2].text);
    const std::uint32_t file = proof.sources.add(text_at(it, 1), text);
    plato::read(proof.sources, file, proof.program, sink);
  }
  if (proof.hashes.empty()) throw Malformed{proof.items.front().at, "there is no program"};
  if (!sink.has_errors()) plato::check_well_formed(proof.sources, proof.program, sink);
  for (const diag::Diagnostic& it : sink.errors()) proof.errors += diag::render(proof.sources, it);
}

}  // namespace

const Item& list_at(const Item& item, std::size_t index) { return at(item, index, Item::Kind::kList, "a list"); }
const std::string& word_at(const Item& item, std::size_t index) {
  return at(item, index, Item::Kind::kWord, "a word").text;
}
const std::string& text_at(const Item& item, std::size_t index) {
  return at(item, index, Item::Kind::kText, "a text in quotes").text;
}

std::int64_t number_at(const Item& item, std::size_t index) {
  const std::string& text = word_at(item, index);
  std::int64_t out = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
  if (error != std::errc() || end != text.data() + text.size() || out < 0)
    throw Malformed{item.items[index].at, "a number is expected here"};
  return out;
}

const Item& Proof::part(const char* head) const {
  const Item* found = nullptr;
  for (const Item& it : items) {
    if (!it.is_list(head)) continue;
    if (found != nullptr) throw Malformed{it.at, fmt::format("this is a second ({} …)", head)};
    found = &it;
  }
  if (found == nullptr) throw Malformed{items.front().at, fmt::format("there is no ({} …)", head)};
  return *found;
}

Proof read_proof(const std::string& path, std::string text) {
  Proof out;
  out.sources.add(path, std::move(text));
  try {
    out.items = read_items(out.sources, 0);
    read_header(out);
    read_program(out);
  } catch (const Malformed& it) {
    diag::Sink sink;
    sink.error(it.at, it.what);
    out.errors += diag::render(out.sources, sink.errors().front());
  }
  return out;
}

}  // namespace concord::replay

// Annotations that the program satisfies, found by trying: all candidates at once are put into the source, what a real run
// breaks goes, then what the modular engine cannot prove beside the rest, until all that is left is proved (Houdini). What is
// left is an ordinary part of the program: nobody needs to trust how it was found.
//
// Found is never what narrows who may use the code: no `requires`.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "base/edits.h"
#include "base/source.h"
#include "cache/store.h"
#include "check/check.h"
#include "diag/kinds.h"
#include "engine/engine.h"
#include "infer/candidates.h"
#include "plato/syntax.h"

namespace concord::infer {

// The program with some candidates in it.
struct Annotated {
  base::SourceMap sources;
  plato::Program program;
  check::CheckOptions options;
  std::vector<base::SourceRange> errors;  // places of what is not well-formed; then there is no program
  bool is_read = true;
};
using Read = std::function<Annotated(const base::Edits&)>;

base::Edits edits(const std::vector<Candidate>& candidates);

// A property of the program, by the place of its claim before the edits.
struct Place {
  diag::Kind kind;
  base::SourceRange claim;
  friend auto operator<=>(const Place& a, const Place& b) {
    return std::tuple(a.kind, a.claim.file, a.claim.begin, a.claim.end) <=>
           std::tuple(b.kind, b.claim.file, b.claim.begin, b.claim.end);
  }
};
using Places = std::set<Place>;

// What the modular engine cannot prove of the program as it is.
Places failing(const Read& read, engine::Control& control);

struct Held {
  std::vector<Candidate> candidates;
  std::vector<Candidate> plausible;  // no run that was seen breaks them, and they are not proved
};

// Those that hold together. None either, if real runs break all that is `open`: then there is nothing to be gained.
Held holding(std::vector<Candidate> candidates, Places open, const Read& read, engine::Control& control);

// Which the modular engine proves, if all others hold; none, if a candidate does not.
Places proved(const std::vector<Candidate>& candidates, const Read& read, engine::Control& control);

// As few of them as prove what they prove together, leaving out one after the other.
std::vector<Candidate> needed(std::vector<Candidate> candidates, const Read& read, engine::Control& control);

// Whether every candidate is verified in that answer.
bool all_verified(const check::CheckResult& result, const base::Edits& edits);

}  // namespace concord::infer

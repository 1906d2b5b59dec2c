#include "smt/solver.h"

#include <fmt/format.h>

#include <utility>

#include "base/check.h"
#include "smt/both_solver.h"
#include "smt/child.h"
#include "smt/cvc5_solver.h"
#include "smt/dump.h"
#include "smt/remembering.h"
#include "smt/z3_solver.h"

namespace concord::smt {

namespace {

std::unique_ptr<Solver> make_plain(const Options& options) {
  switch (options.which) {
    case Which::kZ3: return make_z3(options);
    case Which::kCvc5: return make_cvc5(options);
    case Which::kBoth: return make_both({"Z3", make_z3(options)}, {"cvc5", make_cvc5(options)}, options);
  }
  base::internal_error(__FILE__, __LINE__, "unknown solver");
}

}  // namespace

std::string missing_program(Which which) { return which == Which::kZ3 || find_program("cvc5") ? "" : "cvc5"; }

std::string identity(const Options& options) {
  CONCORD_CHECK(options.which == Which::kZ3, "only what Z3 finds out is kept");
  return fmt::format("{}, seed {}, first {}", z3_version(), options.seed, options.is_first);
}

std::string versions() {
  const std::string cvc5 = cvc5_version();
  return fmt::format("Z3 {} (linked)\ncvc5 {}\n", z3_short_version(), cvc5.empty() ? "not found" : cvc5);
}

std::unique_ptr<Solver> make_solver(const Options& options) {
  if (options.proofs != nullptr) return make_remembering(options);
  auto solver = make_plain(options);
  return options.dump_folder.empty() ? std::move(solver) : make_dumping(std::move(solver), options);
}

}  // namespace concord::smt

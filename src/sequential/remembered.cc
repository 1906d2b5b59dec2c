#include "sequential/remembered.h"

#include <algorithm>
#include <cstdint>
#include <sstream>
#include <utility>
#include <vector>

#include "formula/fingerprint.h"
#include "smt/solver.h"

namespace concord::sequential {

namespace {

using formula::Fingerprint;

void add(Fingerprint& to, Term term) {
  to.add_number(term == nullptr ? 0 : 1);
  if (term != nullptr) to.add(term);
}

void add(Fingerprint& to, const Command& it) {
  to.add_number(static_cast<std::int64_t>(it.kind));
  add(to, it.variable);
  add(to, it.term);
  to.add_number(it.tag);
  to.add_number(it.premise);
  to.add_number(it.is_aside ? 1 : 0);
}

void add(Fingerprint& to, const Invariant& it) {
  add(to, it.term);
  to.add_number(it.obligation);
  to.add_number(it.premise);
  add(to, it.about);
  to.add(it.over);
}

void add(Fingerprint& to, const Block& it);

template <class List>
void add_all(Fingerprint& to, const List& list) {
  to.add_number(std::ssize(list));
  for (const auto& it : list) add(to, it);
}

void add(Fingerprint& to, const Block& it) {
  add_all(to, it.commands);
  to.add_number(std::ssize(it.successors));
  for (const int next : it.successors) to.add_number(next);
  to.add_number(it.is_loop_head ? 1 : 0);
  to.add_number(it.is_landmark ? 1 : 0);
  add_all(to, it.invariants);
}

void add(Fingerprint& to, const Program& program) {
  to.add(program.variables);
  for (Term it : program.variables) to.add_number(program.fleeting.contains(it) ? 1 : 0);
  to.add(program.axioms);
  to.add_number(program.obligations);
  to.add_number(program.premises);
  add_all(to, program.blocks);
}

bool is_proved(const Outcome& it) { return it.status == Outcome::Status::kProved && it.premises.empty(); }

void write(std::ostream& out, const std::vector<int>& list) {
  out << list.size();
  for (const int it : list) out << ' ' << it;
  out << '\n';
}

std::optional<std::vector<int>> read(std::istream& in, std::int64_t below) {
  std::size_t count = 0;
  if (!(in >> count) || count > static_cast<std::size_t>(below)) return {};
  std::vector<int> out(count);
  for (int& it : out) {
    if (!(in >> it) || it < 0 || it >= below) return {};
  }
  return out;
}

}  // namespace

Remembered::Remembered(const Program& program, const Settings& settings) : program_(program), settings_(settings) {
  if (settings.solver.proofs == nullptr) return;
  Fingerprint all(settings.solver.proofs->begin_key("program"));
  all.add_text(smt::identity(settings.solver));
  all.add_number(settings.probes);
  all.add_number(static_cast<std::int64_t>(settings.most_at_once));
  add(all, program);
  key_ = all.hex();
}

std::optional<Verification> Remembered::take() const {
  if (key_.empty()) return {};
  const std::optional<cache::Store::Entry> found = settings_.solver.proofs->load(key_);
  if (!found) return {};
  std::istringstream in(found->value);
  Verification out;
  out.obligations.resize(static_cast<std::size_t>(program_.obligations));
  out.unreachable.resize(static_cast<std::size_t>(settings_.probes), false);
  const auto unreachable = read(in, settings_.probes);
  if (!unreachable) return {};
  for (const int it : *unreachable) out.unreachable[static_cast<std::size_t>(it)] = true;
  for (const Block& block : program_.blocks) {
    auto kept = read(in, std::ssize(block.invariants));
    if (!kept) return {};
    out.kept.push_back(std::move(*kept));
  }
  out.remembered = found->is_own ? 0 : program_.obligations;
  return out;
}

void Remembered::keep(const Verification& verification) const {
  if (key_.empty() || verification.is_cut_short) return;
  if (!std::all_of(verification.obligations.begin(), verification.obligations.end(), is_proved)) return;
  std::ostringstream out;
  std::vector<int> unreachable;
  for (std::size_t i = 0; i < verification.unreachable.size(); ++i) {
    if (verification.unreachable[i]) unreachable.push_back(static_cast<int>(i));
  }
  write(out, unreachable);
  for (const std::vector<int>& kept : verification.kept) write(out, kept);
  settings_.solver.proofs->store(key_, std::move(out).str());
}

}  // namespace concord::sequential

#include "infer/missing.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <utility>

#include "diag/kinds.h"
#include "engine/modular/modular.h"
#include "plato/walk.h"

namespace concord::infer {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

constexpr int kMostTries = 40;        // for one claim
constexpr std::size_t kMostTold = 2;  // clauses

// What a parameter may have to satisfy, the weaker first.
std::vector<std::string> conditions(const Local& parameter, const std::string& name) {
  switch (parameter.type.kind) {
    case Type::Kind::kInt: return {name + " != 0", "0 <= " + name, "0 < " + name};
    case Type::Kind::kClass:
    case Type::Kind::kArray: return {name + " != null"};
    case Type::Kind::kBool: return {name, "!" + name};
    default: return {};
  }
}

// `global_invariant x >= 0` as `global_invariant 0 <= x`; empty if it is no such comparison.
std::string turned(const std::string& claim) {
  std::istringstream words(claim);
  std::string keyword, left, sign, right, more;
  const bool is_short = (words >> keyword >> left >> sign >> right) && !(words >> more);
  if (!is_short || (sign.front() != '<' && sign.front() != '>')) return "";
  sign.front() = sign.front() == '<' ? '>' : '<';
  return fmt::format("{} {} {} {}", keyword, right, sign, left);
}

class Search {
 public:
  Search(const Subject& subject, const std::vector<Candidate>& found, const std::vector<Candidate>& plausible,
         const Read& read, engine::Control& control)
      : subject_(subject),
        found_(found),
        plausible_(plausible),
        frames_(frames(subject)),
        read_(read),
        control_(control) {}

  // What would be enough, with its place.
  std::optional<std::string> for_result(const engine::PropertyResult& result) {
    tries_ = 0;
    if (auto precondition = precondition_for(result)) return fmt::format("with {}", *precondition);
    std::vector<Candidate> clauses = enough(result.property, plausible_);
    std::erase_if(clauses, [&](const Candidate& it) {  // which says just that
      const std::string& claim = result.property.text;
      return claim + ";" == it.clause || turned(claim) + ";" == it.clause;
    });
    if (!clauses.empty() && clauses.size() <= kMostTold) return "with " + told(clauses);
    std::vector<Candidate> all;
    for (const Frame& it : frames_) all.push_back(it.candidate);
    const std::vector<Candidate> alone = enough(result.property, all);
    if (!alone.empty() && alone.size() <= kMostTold) return left_alone(alone, procedure_of(result));
    return {};
  }

 private:
  // ---- a precondition

  std::optional<std::string> precondition_for(const engine::PropertyResult& result) {
    const engine::Property& property = result.property;
    const Procedure* broken_in = procedure_of(result);
    const std::optional<base::Insertion> place = broken_in == nullptr ? std::nullopt : place_of(*broken_in);
    if (!place) return {};
    const Procedure& procedure = *broken_in;
    for (const Local& parameter : procedure.parameters) {
      const auto spelled = subject_.spelled.find(parameter.name);
      const std::string name = spelled == subject_.spelled.end() ? parameter.name : spelled->second;
      if (name.starts_with("this")) continue;
      for (const std::string& condition : conditions(parameter, name)) {
        if (++tries_ > kMostTries || control_.should_stop()) return {};
        const std::string clause = fmt::format("requires {};", condition);
        if (is_proved_with(property,
                           {place->file, place->at, place->text + clause + (subject_.is_java ? "\n" : " ")})) {
          return fmt::format("`{}` of the procedure at {}", clause, subject_.sources->place(procedure.name_range));
        }
      }
    }
    return {};
  }

  // That a claim belongs to, or in which it breaks; null: none.
  const Procedure* procedure_of(const engine::PropertyResult& result) const {
    const std::vector<Procedure>& all = subject_.program->procedures;
    if (result.property.procedure >= 0) return &all[static_cast<std::size_t>(result.property.procedure)];
    for (const Procedure& it : all) {
      const base::SourceRange& body = it.body->range;
      const base::SourceRange& at = result.location;
      if (body.file == at.file && body.begin <= at.begin && at.end <= body.end) return &it;
    }
    return nullptr;
  }

  // Where its clauses may stand, and what comes before them.
  std::optional<base::Insertion> place_of(const Procedure& procedure) const {
    const std::string_view text = subject_.sources->file(procedure.name_range.file).text();
    if (subject_.library_files.contains(procedure.name_range.file)) return {};
    const std::size_t name = procedure.name_range.begin;
    if (subject_.is_java) {
      const std::size_t line = name == 0 ? 0 : text.rfind('\n', name - 1) + 1;
      if (text.substr(line, name - line).find_first_of(";{}()") != std::string_view::npos) return {};
      return base::Insertion{procedure.name_range.file, static_cast<std::uint32_t>(line), "//@ "};
    }
    const std::size_t body = procedure.body->range.begin;
    return base::Insertion{procedure.name_range.file, static_cast<std::uint32_t>(body), ""};
  }

  bool is_proved_with(const engine::Property& property, base::Insertion insertion) {
    std::vector<base::Insertion> all{std::move(insertion)};
    for (const Candidate& it : found_) all.push_back(it.insertion);
    const base::Edits edits(std::move(all));
    const Read with = [&](const base::Edits&) { return read_(edits); };
    if (!read_(edits).is_read) return false;
    for (const Place& it : failing(with, control_)) {
      if (it.kind == diag::Kind::kVacuity || edits.is_inserted(it.claim)) return false;  // nobody could call it so
      if (it.kind == property.kind && edits.before(it.claim) == property.claim) return false;
    }
    return !control_.should_stop();
  }

  // ---- clauses

  // A part of them with which the claim is proved, and no longer without any of these; none, if all of them are not enough.
  std::vector<Candidate> enough(const engine::Property& property, std::vector<Candidate> all) {
    if (all.empty() || !is_proved_beside(property, all)) return {};
    for (std::size_t size = (all.size() + 1) / 2; size > 0; size = size == 1 ? 0 : (size + 1) / 2) {
      for (std::size_t begin = 0; begin < all.size() && all.size() > 1;) {
        std::vector<Candidate> fewer = all;
        const auto first = fewer.begin() + static_cast<std::ptrdiff_t>(begin);
        fewer.erase(first, first + static_cast<std::ptrdiff_t>(std::min(size, all.size() - begin)));
        if (!fewer.empty() && is_proved_beside(property, fewer)) {
          all = std::move(fewer);
        } else {
          begin += size;
        }
      }
    }
    return all;
  }

  // If these hold; whether they do is another question.
  bool is_proved_beside(const engine::Property& property, const std::vector<Candidate>& clauses) {
    if (++tries_ > kMostTries || control_.should_stop()) return false;
    std::vector<base::Insertion> all;
    for (const Candidate& it : found_) all.push_back(it.insertion);
    for (const Candidate& it : clauses) all.push_back(it.insertion);
    const base::Edits edits(std::move(all));
    const Annotated program = read_(edits);
    if (!program.is_read) return false;
    for (const Place& it : failing([&](const base::Edits&) { return read_(edits); }, control_)) {
      if (it.kind == diag::Kind::kVacuity) return false;
      if (it.kind == property.kind && !edits.is_inserted(it.claim) && edits.before(it.claim) == property.claim)
        return false;
    }
    return !control_.should_stop();
  }

  std::string told(const std::vector<Candidate>& clauses) const {
    std::string out;
    for (const Candidate& it : clauses) {
      const base::SourceFile& file = subject_.sources->file(it.insertion.file);
      out += fmt::format("{}`{}` at {}:{}", out.empty() ? "" : " and ", it.clause, file.path(),
                         file.position(it.insertion.at).line);
    }
    return out + (clauses.size() == 1 ? ", which is not proved either" : ", which are not proved either");
  }

  // Which steps of others are in the way.
  std::string left_alone(const std::vector<Candidate>& alone, const Procedure* broken_in) const {
    std::string names;
    std::string steps;
    for (const Frame& it : frames_) {
      const bool is_one = std::any_of(alone.begin(), alone.end(), [&](const Candidate& each) {
        return each.clause == it.candidate.clause && each.scope == it.candidate.scope;
      });
      if (!is_one) continue;
      const auto spelled = subject_.spelled.find(it.variable->name);
      names += fmt::format("{}`{}`", names.empty() ? "" : " and ",
                           spelled == subject_.spelled.end() ? it.variable->name : spelled->second);
      const std::string step = writer_of(*it.variable, broken_in);
      if (!step.empty()) steps += (steps.empty() ? "; " : ", ") + step;
    }
    return fmt::format("if other threads left {} alone meanwhile{}", names, steps);
  }

  // A step that writes it, if possible of another procedure.
  std::string writer_of(const Variable& variable, const Procedure* broken_in) const {
    std::string out;
    bool is_elsewhere = false;
    for (const Procedure& it : subject_.program->procedures) {
      for_each_stmt(*it.body, [&](const Stmt& statement) {
        for_each_target(statement, [&](const Expr& target) {
          const auto* name = std::get_if<NameExpr>(&target.node);
          const auto* field = std::get_if<FieldExpr>(&target.node);
          const bool is_it = (name != nullptr && name->ref.kind == Ref::Kind::kShared && name->name == variable.name) ||
                             (field != nullptr && field->field == variable.name);
          if (!is_it || (!out.empty() && (is_elsewhere || &it == broken_in))) return;
          is_elsewhere = &it != broken_in;
          const auto spelled = subject_.spelled.find(it.name);
          out = fmt::format("`{}` writes it at {}", spelled == subject_.spelled.end() ? it.name : spelled->second,
                            subject_.sources->place(statement.range));
        });
      });
    }
    return out;
  }

  const Subject& subject_;
  const std::vector<Candidate>& found_;
  const std::vector<Candidate>& plausible_;
  const std::vector<Frame> frames_;
  const Read& read_;
  engine::Control& control_;
  int tries_ = 0;
};

}  // namespace

std::vector<std::string> missing(const Subject& subject, const std::vector<Candidate>& found,
                                 const std::vector<Candidate>& plausible,
                                 const std::vector<engine::PropertyResult>& results, const Read& read,
                                 engine::Control& control) {
  Search search(subject, found, plausible, read, control);
  std::vector<std::string> out;
  for (const engine::PropertyResult& it : results) {
    const bool is_open = it.verdict == engine::Verdict::kUnproved && it.depends_on.empty();
    if (!is_open || !engine::modular::Modular::decides(it.property)) continue;
    if (const auto clause = search.for_result(it)) {
      out.push_back(fmt::format("{}: {} would be proved {}", subject.sources->place(it.property.claim),
                                diag::name(it.property.kind), *clause));
    }
  }
  return out;
}

}  // namespace concord::infer

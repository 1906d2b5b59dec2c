#include "infer/missing.h"

#include <fmt/format.h>

#include <optional>
#include <string_view>
#include <utility>

#include "diag/kinds.h"
#include "engine/modular/modular.h"

namespace concord::infer {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

constexpr int kMostTries = 40;

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

class Search {
 public:
  Search(const Subject& subject, const std::vector<Candidate>& found, const Read& read, engine::Control& control)
      : subject_(subject), found_(found), read_(read), control_(control) {}

  // The clause, with its place.
  std::optional<std::string> for_result(const engine::PropertyResult& result) {
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

 private:
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

  const Subject& subject_;
  const std::vector<Candidate>& found_;
  const Read& read_;
  engine::Control& control_;
  int tries_ = 0;
};

}  // namespace

std::vector<std::string> missing(const Subject& subject, const std::vector<Candidate>& found,
                                 const std::vector<engine::PropertyResult>& results, const Read& read,
                                 engine::Control& control) {
  Search search(subject, found, read, control);
  std::vector<std::string> out;
  for (const engine::PropertyResult& it : results) {
    const bool is_open = it.verdict == engine::Verdict::kUnproved && it.depends_on.empty();
    if (!is_open || !engine::modular::Modular::decides(it.property)) continue;
    if (const auto clause = search.for_result(it)) {
      out.push_back(fmt::format("{}: {} would be proved with {}", subject.sources->place(it.property.claim),
                                diag::name(it.property.kind), *clause));
    }
  }
  return out;
}

}  // namespace concord::infer

#include "infer/abstract_threads.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>

#include "engine/property.h"
#include "engine/threads/threads.h"
#include "plato/flow.h"

namespace concord::infer {

using namespace plato;  // NOLINT: this file is about the syntax tree throughout

namespace {

constexpr std::chrono::milliseconds kProof{2000};  // what takes longer is not guessed well
constexpr std::chrono::milliseconds kCoarsening{20000};

// Of the line that a place is on.
std::uint32_t line_begin(std::string_view text, std::uint32_t at) {
  return at == 0 ? 0 : static_cast<std::uint32_t>(text.rfind('\n', at - 1) + 1);
}

std::string indentation_at(std::string_view text, std::uint32_t line) {
  return std::string(text.substr(line, text.find_first_not_of(" \t", line) - line));
}

class Proposing {
 public:
  explicit Proposing(const Subject& subject) : subject_(subject), program_(*subject.program) {
    for (const AbstractThread& it : program_.abstract_threads) names_.insert(it.name);
    for (const Class& it : program_.classes) names_.insert(it.name);
    for (const Enum& it : program_.enums) names_.insert(it.name);
    for (const Procedure& it : program_.procedures) names_.insert(it.name);
  }

  std::vector<Proposal> run() {
    for (const Thread& it : program_.threads) {
      if (it.abstracted.index < 0 && !subject_.is_java) declared(it);
    }
    std::set<int> all;
    for (int p = 0; p < std::ssize(program_.procedures); ++p) all.insert(p);
    for (const int p : started_in(program_, all)) {
      if (program_.procedures[static_cast<std::size_t>(p)].abstracted.index < 0) started(p);
    }
    return std::move(out_);
  }

 private:
  std::string_view text(std::uint32_t file) const { return subject_.sources->file(file).text(); }

  std::string fresh(std::string name) {
    name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
    name += "Steps";
    while (!names_.insert(name).second) name += "_";
    return name;
  }

  // Threads that begin in the same way have one machine.
  void declared(const Thread& thread) {
    const base::Insertion clause{thread.range.file, thread.target.range.end, ""};
    if (thread.target.arguments.empty()) {
      const auto found = of_procedure_.find(thread.target.index);
      if (found != of_procedure_.end()) {
        Proposal& same = out_[found->second];
        return same.clauses.push_back({clause.file, clause.at, " abstracted by " + same.name});
      }
    }
    const std::uint32_t line = line_begin(text(thread.range.file), thread.range.begin);
    std::optional<Machine> machine = machine_of(program_, thread.target.index, thread.target.arguments);
    if (!machine) return;
    const std::string name = fresh(thread.target.procedure);
    if (thread.target.arguments.empty()) of_procedure_[thread.target.index] = out_.size();
    out_.push_back({name,
                    std::move(*machine),
                    {thread.range.file, line, indentation_at(text(thread.range.file), line)},
                    {{clause.file, clause.at, " abstracted by " + name}}});
  }

  void started(int p) {
    const Procedure* code = &program_.procedures[static_cast<std::size_t>(p)];
    if (subject_.is_java) code = run_of(*code);
    if (code == nullptr || subject_.library_files.contains(code->name_range.file)) return;
    std::optional<Machine> machine = machine_of(program_, p, {});
    if (!machine) return;
    const std::uint32_t file = code->name_range.file;
    std::uint32_t line = line_begin(text(file), code->name_range.begin);
    const std::string indentation = indentation_at(text(file), line);
    if (!subject_.is_java) {
      const std::string name = fresh(code->name);
      const std::uint32_t body = code->body->range.begin;
      out_.push_back(
          {name, std::move(*machine), {file, line, indentation}, {{file, body, "abstracted by " + name + "; "}}});
      return;
    }
    while (line > 0) {  // annotations of Java stand before the method
      const std::uint32_t before = line_begin(text(file), line - 1);
      if (!text(file).substr(before + indentation_at(text(file), before).size()).starts_with('@')) break;
      line = before;
    }
    const std::string name = fresh(class_of(*code));
    out_.push_back({name,
                    std::move(*machine),
                    {file, line, indentation},
                    {{file, line, indentation + "//@ abstracted_by " + name + "\n"}}});
  }

  // The method that the thread runs.
  const Procedure* run_of(const Procedure& entry) const {
    const Procedure* out = nullptr;
    const auto* body = std::get_if<Block>(&entry.body->node);
    if (body == nullptr) return nullptr;
    for (const StmtPtr& it : body->statements) {
      const CallTarget* target = called(*it);
      if (target != nullptr && out == nullptr) out = &program_.procedures[static_cast<std::size_t>(target->index)];
    }
    return out;
  }

  static std::string class_of(const Procedure& method) { return method.name.substr(0, method.name.rfind('_')); }

  const Subject& subject_;
  const Program& program_;
  std::set<std::string> names_;
  std::map<int, std::size_t> of_procedure_;  // proposals for threads without arguments
  std::vector<Proposal> out_;
};

// The threads engine proves that much; nothing, if something that was put in is not proved.
std::optional<Places> proved_with(const base::Edits& at, const Annotated& program, engine::Control& control) {
  if (!program.is_read) return {};
  engine::Task task{&program.sources, &program.program, {}, program.options.settings};
  task.properties = engine::collect_properties(program.sources, program.program, program.options.requested);
  task.settings.solver_timeout = std::min(task.settings.solver_timeout, kProof);
  engine::threads::Threads prover(simulation::Defect::kNone, program.options.proofs, false);
  Places out;
  for (const engine::PropertyResult& it : prover.run(task, control).results) {
    const bool is_verified = it.verdict == engine::Verdict::kVerified;
    const bool is_ours = at.is_inserted(it.property.claim);
    if (is_ours && !is_verified) return {};
    if (!is_ours && is_verified) out.insert({it.property.kind, at.before(it.property.claim)});
  }
  return out;
}

bool includes(const std::optional<Places>& all, const Places& some) {
  return all && std::includes(all->begin(), all->end(), some.begin(), some.end());
}

// Those that are well-formed.
std::vector<Proposal> readable(const Subject& subject, std::vector<Proposal> proposals, const Read& read) {
  while (!proposals.empty()) {
    const base::Edits at = edits(subject, proposals);
    const Annotated program = read(at);
    if (program.is_read) return proposals;
    std::set<std::string> wrong;
    for (const base::SourceRange& error : program.errors) {
      const auto which = at.insertion_at(error);
      for (const Proposal& it : proposals) {
        if (which && at.insertions()[*which].text.find(it.name) != std::string::npos) wrong.insert(it.name);
      }
    }
    if (wrong.empty()) return {};
    std::erase_if(proposals, [&](const Proposal& it) { return wrong.contains(it.name); });
  }
  return {};
}

// Whether a thread does nothing but write that.
bool only_writes(const Machine& machine, const std::string& location) {
  const bool claims = std::any_of(machine.nodes.begin(), machine.nodes.end(),
                                  [](const Machine::Node& it) { return !it.claims.empty(); });
  return !claims && std::all_of(machine.edges.begin(), machine.edges.end(), [&](const Machine::Edge& edge) {
    return std::all_of(edge.writes.begin(), edge.writes.end(), [&](const auto& it) { return it.first == location; });
  });
}

// As if nobody looked at it; threads that only write it need no machine then.
std::vector<Proposal> without(std::vector<Proposal> proposals, const std::string& location) {
  std::erase_if(proposals, [&](const Proposal& it) { return only_writes(it.machine, location); });
  for (Proposal& it : proposals) it.machine = without_looking_at(it.machine, location);
  return proposals;
}

// What is looked at and no assertion speaks of.
std::set<std::string> unclaimed(const std::vector<Proposal>& proposals) {
  std::set<std::string> out;
  for (const Proposal& it : proposals) out.merge(looked_at(it.machine));
  for (const Proposal& it : proposals) {
    for (const Machine::Node& node : it.machine.nodes) {
      for (formula::Term claim : node.claims) {
        for (formula::Term each : formula::constants_of(claim)) out.erase(each->name);
      }
    }
  }
  return out;
}

// Those that are smaller first: of these a proof is found or not found sooner.
std::vector<std::vector<Proposal>> variants(const std::vector<Proposal>& proposals) {
  std::vector<std::vector<Proposal>> out;
  const auto add = [&](const std::vector<Proposal>& all) {
    std::vector<Proposal> smaller = all;
    bool is_smaller = false;
    for (Proposal& it : smaller) {
      const std::size_t before = it.machine.nodes.size();
      it.machine = contracted(std::move(it.machine));
      is_smaller |= it.machine.nodes.size() < before;
    }
    if (is_smaller) out.push_back(std::move(smaller));
    out.push_back(all);
  };
  for (const std::string& location : unclaimed(proposals)) {
    const std::vector<Proposal> fewer = without(proposals, location);
    if (fewer.size() < proposals.size()) add(fewer);
  }
  add(proposals);
  return out;
}

}  // namespace

std::vector<Proposal> propose(const Subject& subject) { return Proposing(subject).run(); }

base::Edits edits(const Subject& subject, const std::vector<Proposal>& proposals) {
  std::vector<base::Insertion> all;
  for (const Proposal& it : proposals) {
    base::Insertion declaration = it.declaration;
    const std::string& indentation = it.declaration.text;
    const std::string machine =
        print(it.machine, it.name, *subject.sources, subject.spelled, indentation + (subject.is_java ? "    " : ""));
    declaration.text = subject.is_java ? fmt::format("{0}/*@ {1} */\n", indentation, machine)
                                       : fmt::format("{0}{1}\n", indentation, machine);
    all.push_back(std::move(declaration));
    all.insert(all.end(), it.clauses.begin(), it.clauses.end());
  }
  return base::Edits(std::move(all));
}

std::vector<Candidate> told(const std::vector<Proposal>& proposals) {
  std::vector<Candidate> out;
  for (const Proposal& it : proposals) {
    out.push_back({fmt::format("abstract thread {} ({} nodes, {} edges)", it.name, it.machine.nodes.size(),
                               it.machine.edges.size()),
                   it.declaration,
                   -1,
                   {}});
  }
  return out;
}

std::vector<Proposal> conforming(const Subject& subject, std::vector<Proposal> proposals, const Places& open,
                                 const Read& read, engine::Control& control) {
  const auto helps = [&](const std::vector<Proposal>& all) {
    if (all.empty() || control.should_stop()) return false;
    const base::Edits at = edits(subject, all);
    const std::optional<Places> proved = proved_with(at, read(at), control);
    return proved && std::any_of(open.begin(), open.end(), [&](const Place& it) { return proved->contains(it); });
  };
  for (const std::vector<Proposal>& one : variants(readable(subject, std::move(proposals), read))) {
    if (helps(one)) return one;
  }
  return {};
}

std::vector<Proposal> coarsened(const Subject& subject, std::vector<Proposal> proposals, const Read& read,
                                engine::Control& control) {
  engine::Control limited;
  limited.parent = &control;
  limited.timeout = kCoarsening;
  limited.memory_limit_bytes = control.memory_limit_bytes;
  const auto proved = [&](const std::vector<Proposal>& all) {
    const base::Edits at = edits(subject, all);
    return proved_with(at, read(at), limited);
  };
  const std::optional<Places> goal = proved(proposals);
  if (!goal) return proposals;
  const auto keeps = [&](std::vector<Proposal> fewer) {
    if (limited.should_stop() || !includes(proved(fewer), *goal)) return false;
    proposals = std::move(fewer);
    return true;
  };
  std::set<std::string> locations;
  for (const Proposal& it : proposals) locations.merge(looked_at(it.machine));
  for (const std::string& location : locations) {
    std::vector<Proposal> fewer = proposals;
    for (Proposal& it : fewer) it.machine = without_looking_at(it.machine, location);
    keeps(std::move(fewer));
  }
  for (std::size_t i = 0; i < proposals.size(); ++i) {
    for (std::size_t e = 0; e < proposals[i].machine.edges.size();) {
      const Machine::Edge& edge = proposals[i].machine.edges[e];
      std::vector<Proposal> fewer = proposals;
      if (edge.writes.empty()) fewer[i].machine = merged(fewer[i].machine, edge.from, edge.to);
      e = edge.writes.empty() && keeps(std::move(fewer)) ? 0 : e + 1;
    }
  }
  return proposals;
}

}  // namespace concord::infer

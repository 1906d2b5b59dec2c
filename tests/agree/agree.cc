// concord_agree: random programs, judged by everyone who can judge; they must agree.
//
//   concord_agree --programs N --seed S [--seconds T] [--jobs J] [--save DIR] [--failures M]
//                 [--round-trip 0] [--show SEED] [--file F] [--explorers 1] [--machines 1] [--heaps 1] [--lock-free 1]
//                 [--few-know 1]
//
// With --explorers 1 the explorer, with and without its reductions, is compared with the referee: they must say the same.
// With --machines 1 the threads have abstract threads, for the engine that is about those. With --heaps 1 the programs are about
// objects, locks and starting threads; the shape engine is compared with the referee, races included, and its configurations with real states.
// --lock-free 1 is the same for programs that change a list by compare-and-set, free its nodes and use them again, --few-know 1 for such
// in which each thread knows some of the objects only.
// Program k of the run has seed S + k; --show prints and judges the one with that seed, --file the one in a file. On a
// disagreement the program is made small (shrink.h), printed with both answers, and the exit status is 1; the run stops after
// M of them (1 unless told otherwise).
#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <mutex>
#include <set>
#include <sstream>
#include <thread>

#include "few_know.h"
#include "generator.h"
#include "judge.h"
#include "lock_free.h"
#include "plato/copy.h"
#include "plato/printer.h"
#include "shrink.h"

namespace concord::agree {

namespace {

struct Arguments {
  std::uint64_t programs = 1000;
  std::uint64_t seed = 1;
  double seconds = 0;  // 0: no limit
  int jobs = 1;
  std::uint64_t failures = 1;
  bool round_trip = true;
  bool explorers = false;
  bool machines = false;
  bool heaps = false;
  bool lock_free = false;
  bool few_know = false;
  std::string save;
  std::string show;
  std::string file;
};

struct Statistics {
  std::uint64_t programs = 0;
  std::uint64_t rejected = 0;
  std::uint64_t with_findings = 0;
  std::uint64_t incomplete = 0;
  std::uint64_t not_compared = 0;  // by an exact judge, because one side was incomplete
  std::uint64_t states = 0;
  std::uint64_t failed = 0;
  std::map<std::string, std::uint64_t> kinds;
  std::map<std::string, std::map<std::string, std::uint64_t>> verdicts;  // of judges that are not exact, by judge
  std::string first_rejection;
};

using Judges = std::vector<std::unique_ptr<Judge>>;

// What is printed reads back to the same program.
std::string round_trip(const Loaded& loaded) {
  const std::string printed = plato::print(loaded.program);
  if (plato::print(plato::copy(loaded.program)) != printed) return "a copy differs from the program:\n" + printed;
  const auto again = load(printed);
  if (!again->error.empty()) return "printed text does not read back:\n" + printed + again->error;
  const std::string second = plato::print(again->program);
  return printed == second ? "" : "printing again differs:\n" + printed + "---\n" + second;
}

std::string disagreement(const Loaded& loaded, Judge& interpreter, const Judges& judges, Statistics* statistics) {
  const Judgement truth = interpreter.run(loaded);
  std::string text = truth.error;
  bool compared = true;
  for (const auto& judge : judges) {
    if (judge->is_exact() && !truth.complete) {
      compared = false;
      continue;
    }
    const Judgement judgement = judge->run(loaded);
    const std::string difference = contradiction(truth, judgement, judge->is_exact());
    if (!difference.empty()) text += judge->name() + " against " + interpreter.name() + ":\n" + difference;
    if (judge->is_exact() && !judgement.complete) compared = false;
    if (judge->is_exact() || statistics == nullptr) continue;
    for (const auto& [id, verdict] : judgement.verdicts) {
      ++statistics->verdicts[judge->name()][std::string(name(verdict))];
    }
  }
  if (statistics == nullptr) return text;
  statistics->states += truth.states;
  if (!truth.complete) ++statistics->incomplete;
  if (!compared) ++statistics->not_compared;
  bool found = false;
  for (const auto& [id, verdict] : truth.verdicts) {
    if (verdict != engine::Verdict::kViolated) continue;
    found = true;
    ++statistics->kinds[id.substr(0, id.find('@'))];
  }
  if (found) ++statistics->with_findings;
  return text;
}

// Both ran out of time, or neither: then everything is compared.
std::string difference_of_explorers(const Loaded& loaded, Judge& referee, const Judges& explorers,
                                    Statistics* statistics) {
  const Judgement truth = referee.run(loaded);
  std::string text;
  const bool is_timed_out = truth.why_incomplete.starts_with("time limit");
  for (const auto& it : explorers) {
    if (is_timed_out) break;
    const std::string found = difference(truth, it->run(loaded));
    if (!found.empty()) text += it->name() + " against " + referee.name() + ":\n" + found;
  }
  if (statistics != nullptr) {
    statistics->states += truth.states;
    if (!truth.complete) ++statistics->incomplete;
    if (is_timed_out) ++statistics->not_compared;
    std::set<std::string> kinds;
    for (const auto& [id, verdict] : truth.verdicts) {
      if (verdict == engine::Verdict::kViolated) kinds.insert(id.substr(0, id.find('@')));
    }
    for (const std::string& it : kinds) ++statistics->kinds[it];
    if (!kinds.empty()) ++statistics->with_findings;
  }
  return text;
}

std::string answers(const Loaded& loaded, Judge& judge) {
  const Judgement judgement = judge.run(loaded);
  const std::string how = judgement.complete ? "complete" : "incomplete: " + judgement.why_incomplete;
  std::string text = judge.name() + " (" + how + ", " + std::to_string(judgement.states) + " states)\n";
  for (const auto& [id, verdict] : judgement.verdicts) text += "  " + std::string(name(verdict)) + "  " + id + "\n";
  return text + judgement.error;
}

class Run {
 public:
  explicit Run(const Arguments& arguments) : arguments_(arguments) {}

  int all() {
    std::vector<std::thread> workers;
    for (int i = 0; i < arguments_.jobs; ++i) workers.emplace_back([this] { work(); });
    for (std::thread& it : workers) it.join();
    return summary();
  }

  // For explorers half of the programs have threads that nobody can tell apart.
  std::string text_of(std::uint64_t seed) const {
    if (arguments_.lock_free) return generate_lock_free(seed);
    if (arguments_.few_know) return generate_few_know(seed);
    GeneratorOptions options;
    options.identities = !arguments_.explorers || seed % 2 == 0;
    options.all_machines = arguments_.machines;
    if (arguments_.heaps) {
      options.maps = options.sets = options.arrays = seed % 8 == 0;
      options.abstractions = options.machines = options.modules = options.free_integers = false;
      options.direct = options.havoc = options.quantifiers = seed % 4 == 0;
      options.lists = seed % 2 == 1;
      options.final_links = seed % 6 == 1;
      options.max_statements = 8;
    }
    return generate(seed, options);
  }

  int one(const std::string& text) {
    const auto loaded = load(text);
    std::cout << text << loaded->error;
    if (!loaded->error.empty()) return 1;
    const auto interpreter = make_truth();
    const Judges judges = make_others();
    std::cout << answers(*loaded, *interpreter);
    for (const auto& judge : judges) std::cout << answers(*loaded, *judge);
    const std::string difference = difference_in(*loaded, *interpreter, judges, nullptr);
    std::cout << difference;
    return difference.empty() ? 0 : 1;
  }

 private:
  std::unique_ptr<Judge> make_truth() const {
    return arguments_.explorers || is_about_heaps() ? make_referee_judge() : make_interpreter_judge();
  }

  bool is_about_heaps() const { return arguments_.heaps || arguments_.lock_free || arguments_.few_know; }

  Judges make_others() const {
    if (is_about_heaps()) return make_shape_judges();
    if (arguments_.explorers) return make_explorer_judges();
    return arguments_.machines ? make_threads_judges() : make_judges();
  }

  bool is_over() const {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    return stop_ || (arguments_.seconds > 0 && elapsed.count() > arguments_.seconds);
  }

  std::string difference_in(const Loaded& loaded, Judge& interpreter, const Judges& judges,
                            Statistics* statistics) const {
    const std::string broken = arguments_.round_trip ? round_trip(loaded) : "";
    if (!broken.empty()) return broken;
    return arguments_.explorers ? difference_of_explorers(loaded, interpreter, judges, statistics)
                                : disagreement(loaded, interpreter, judges, statistics);
  }

  void work() {
    const auto interpreter = make_truth();
    const Judges judges = make_others();
    while (!is_over()) {
      const std::uint64_t number = next_++;
      if (number >= arguments_.programs) return;
      examine(arguments_.seed + number, *interpreter, judges);
    }
  }

  void examine(std::uint64_t seed, Judge& interpreter, const Judges& judges) {
    const std::string text = text_of(seed);
    const auto loaded = load(text);
    Statistics mine;
    mine.programs = 1;
    std::string difference;
    if (!loaded->error.empty()) {
      mine.rejected = 1;
      mine.first_rejection = "seed " + std::to_string(seed) + ":\n" + loaded->error;
    } else {
      difference = difference_in(*loaded, interpreter, judges, &mine);
      mine.failed = difference.empty() ? 0 : 1;
    }
    {
      const std::lock_guard guard(mutex_);
      add(mine);
    }
    if (!difference.empty()) explain(seed, text, difference, interpreter, judges);
  }

  void explain(std::uint64_t seed, const std::string& text, const std::string& difference, Judge& interpreter,
               const Judges& judges) {
    if (explained_++ >= arguments_.failures) return;
    if (explained_ >= arguments_.failures) stop_ = true;
    const std::string small = shrink(text, [&](const std::string& attempt) {
      const auto loaded = load(attempt);
      return loaded->error.empty() && !difference_in(*loaded, interpreter, judges, nullptr).empty();
    });
    const auto loaded = load(small);
    std::string report = "seed " + std::to_string(seed) + ": disagreement\n" + difference + "\nshrunk:\n" + small +
                         "\n" + difference_in(*loaded, interpreter, judges, nullptr) + answers(*loaded, interpreter);
    for (const auto& judge : judges) report += answers(*loaded, *judge);
    std::cout << report << std::flush;
    if (arguments_.save.empty()) return;
    std::ofstream(arguments_.save + "/" + std::to_string(seed) + ".plato") << small;
    std::ofstream(arguments_.save + "/" + std::to_string(seed) + ".txt") << report << "\noriginal:\n" << text;
  }

  void add(const Statistics& mine) {
    total_.programs += mine.programs;
    total_.rejected += mine.rejected;
    total_.with_findings += mine.with_findings;
    total_.incomplete += mine.incomplete;
    total_.not_compared += mine.not_compared;
    total_.states += mine.states;
    total_.failed += mine.failed;
    for (const auto& [kind, count] : mine.kinds) total_.kinds[kind] += count;
    for (const auto& [judge, counts] : mine.verdicts) {
      for (const auto& [verdict, count] : counts) total_.verdicts[judge][verdict] += count;
    }
    if (total_.first_rejection.empty()) total_.first_rejection = mine.first_rejection;
  }

  int summary() {
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start_;
    const std::uint64_t judged = total_.programs - total_.rejected;
    const std::uint64_t average = judged == 0 ? 0 : total_.states / judged;
    const bool too_many_rejected = total_.rejected * 20 > total_.programs;
    if (too_many_rejected) std::cout << "too many programs rejected, first " << total_.first_rejection;
    std::cout << total_.programs << " programs, " << total_.with_findings << " with findings, " << average
              << " states on average, " << total_.rejected << " rejected, " << total_.incomplete << " incomplete, "
              << total_.not_compared << " not compared, "
              << static_cast<int>(static_cast<double>(total_.programs) / elapsed.count()) << " programs per second;";
    for (const auto& [kind, count] : total_.kinds) std::cout << " " << kind << " " << count;
    for (const auto& [judge, counts] : total_.verdicts) {
      std::cout << "; " << judge << ":";
      for (const auto& [verdict, count] : counts) std::cout << " " << count << " " << verdict;
    }
    std::cout << "\n" << judged - total_.failed << " passed, " << total_.failed << " failed\n";
    return total_.failed == 0 && !too_many_rejected && judged > 0 ? 0 : 1;
  }

  const Arguments arguments_;
  const std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  std::atomic<std::uint64_t> next_{0};
  std::atomic<bool> stop_{false};
  std::atomic<std::uint64_t> explained_{0};
  std::mutex mutex_;
  Statistics total_;
};

int usage() {
  std::cerr << "usage: concord_agree [--programs N] [--seed S] [--seconds T] [--jobs J] [--save DIR]\n"
               "                     [--failures M] [--round-trip 0] [--show SEED] [--file F] [--explorers 1]\n"
               "                     [--machines 1] [--heaps 1] [--lock-free 1] [--few-know 1]\n";
  return 2;
}

}  // namespace

int main(const std::vector<std::string>& words) {
  Arguments arguments;
  for (std::size_t i = 0; i < words.size(); i += 2) {
    if (i + 1 == words.size()) return usage();
    const std::string& value = words[i + 1];
    if (words[i] == "--programs")
      arguments.programs = std::stoull(value);
    else if (words[i] == "--seed")
      arguments.seed = std::stoull(value);
    else if (words[i] == "--seconds")
      arguments.seconds = std::stod(value);
    else if (words[i] == "--jobs")
      arguments.jobs = std::stoi(value);
    else if (words[i] == "--failures")
      arguments.failures = std::stoull(value);
    else if (words[i] == "--round-trip")
      arguments.round_trip = value != "0";
    else if (words[i] == "--explorers")
      arguments.explorers = value != "0";
    else if (words[i] == "--machines")
      arguments.machines = value != "0";
    else if (words[i] == "--heaps")
      arguments.heaps = value != "0";
    else if (words[i] == "--lock-free")
      arguments.lock_free = value != "0";
    else if (words[i] == "--few-know")
      arguments.few_know = value != "0";
    else if (words[i] == "--save")
      arguments.save = value;
    else if (words[i] == "--show")
      arguments.show = value;
    else if (words[i] == "--file")
      arguments.file = value;
    else
      return usage();
  }
  Run run(arguments);
  if (!arguments.show.empty()) return run.one(run.text_of(std::stoull(arguments.show)));
  if (arguments.file.empty()) return run.all();
  std::ifstream file(arguments.file);
  std::stringstream text;
  text << file.rdbuf();
  return run.one(text.str());
}

}  // namespace concord::agree

int main(int argc, char** argv) { return concord::agree::main(std::vector<std::string>(argv + 1, argv + argc)); }

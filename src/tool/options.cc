// The only file that includes CLI11: it takes ten seconds to compile. CLI11 does the lexing of arguments; what the
// values mean, the messages and the help are ours, because they are part of what a user sees.
#include "tool/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <thread>
#include <utility>

#include "diag/diagnostic.h"
#include "diag/kinds.h"
#include "report/columns.h"
#include "report/json.h"
#include "tool/manual.h"
#include "tool/status.h"
#include "tool/version.h"

namespace concord::tool {

namespace {

constexpr std::int64_t kMostThreads = 1000;
constexpr int kHelpWidth = 100;
constexpr int kOptionWidth = 30;

// Thrown while the values are read, caught in parse(): the message for the user.
struct UsageError {
  std::string message;
};

struct VerbPage {
  Verb verb;
  const char* name;
  const char* arguments;
  const char* summary;
  const char* description;
};

const std::vector<VerbPage>& verbs() {
  static const std::vector<VerbPage> kPages = {
      {Verb::kVerify, "verify", "[OPTION…] FILE…", "check everything the files ask for; the main job",
       "Checks every assertion, invariant, contract and other claim of the program, for every schedule."},
      {Verb::kExplore, "explore", "[OPTION…] FILE…", "exhaustive exploration with concrete threads",
       "Runs every interleaving of concrete threads: verify --engine explore."},
      {Verb::kShow, "show", "[OPTION…] FILE…", "the Plato program made of the files",
       "Prints the program as Plato text, which reads back to the same program."},
      {Verb::kReplay, "replay", "[OPTION…] PROOF", "re-check a saved proof",
       "Re-checks a proof that --save-proof has saved (docs/proofs.md), with code and a solver that did not find it."},
      {Verb::kExplain, "explain", "[KIND]", "what a kind of finding means, with an example",
       "Explains a kind of finding, with an example and the usual fixes; without KIND, lists the kinds."},
  };
  return kPages;
}

const char* const kFiles =
    "FILE is a .plato or .java file, or a folder: all of them below it. All files together are one program. Or a .tvp "
    "or .tvm\n"
    "model of TVLA's, and its .tvs file.\n";
const char* const kStatuses =
    "Exit status: 0 all verified, 1 something violated, 2 something unproved, 3 something unknown or nothing to "
    "check,\n"
    "64 bad usage, 65 unreadable or malformed input, 69 something needed is missing, 70 a defect of concord itself,\n"
    "130 interrupted.\n";

std::vector<std::string> top_options() { return {"--help", "--version", "--json-schema", "--man", "--completion"}; }

std::string top_help() {
  std::string text = "Concord checks multithreaded programs: for every schedule, can it go wrong?\n\n";
  for (const VerbPage& verb : verbs())
    text += fmt::format("  concord {:<8} {:<18} {}\n", verb.name, verb.arguments, verb.summary);
  text += "\n  concord VERB --help     the options of a verb, with their defaults\n";
  text += "  concord --version       the version, and those of the solvers and the JDK\n";
  text += "  concord --json-schema   the schema of what --format json prints\n";
  text += "  concord --man           the manual page\n";
  text += "  concord --completion    what bash has to know to complete a command: source <(concord --completion)\n\n";
  return text + kFiles + "\n" + kStatuses;
}

std::string short_help() {
  std::string text = "usage: concord VERB [OPTION…] FILE…\n\n";
  for (const VerbPage& verb : verbs())
    text += fmt::format("  concord {:<8} {:<18} {}\n", verb.name, verb.arguments, verb.summary);
  return text + "\n`concord --help` and `concord VERB --help` tell the rest.\n";
}

// ------------------------------------------------------------------------------------------------------------- values

template <class Number>
std::optional<Number> number(std::string_view text) {
  Number value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::int64_t number_between(const std::string& option, const std::string& text, std::int64_t low, std::int64_t high) {
  const auto value = number<std::int64_t>(text);
  if (!value || *value < low || *value > high) {
    throw UsageError{fmt::format("{} wants a whole number from {} to {}, not `{}`", option, low, high, text)};
  }
  return *value;
}

[[noreturn]] void no_such(const std::string& option, const std::string& word,
                          const std::vector<std::string>& candidates) {
  const std::string all = fmt::format("it is one of {}", fmt::join(candidates, ", "));
  throw UsageError{fmt::format("{} cannot be `{}`; {}", option, word, did_you_mean(word, candidates, all))};
}

template <class Enum>
Enum one_of(const std::string& option, const std::string& word, const std::vector<std::string>& names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == word) return static_cast<Enum>(i);
  }
  no_such(option, word, names);
}

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const diag::KindPage& page : diag::catalogue()) names.emplace_back(page.name);
  return names;
}

void read_kinds(const std::string& list, std::set<diag::Kind>& requested) {
  for (const std::string& word : CLI::detail::split(list, ',')) {
    if (word == "all") {
      for (const diag::KindPage& page : diag::catalogue()) requested.insert(page.kind);
    } else if (const auto kind = diag::kind_named(word)) {
      requested.insert(*kind);
    } else {
      std::vector<std::string> candidates = kind_names();
      candidates.emplace_back("all");
      no_such("--property", word, candidates);
    }
  }
}

void read_reductions(const std::string& list, engine::Reductions& out) {
  out = {false, false, false, false};
  for (const std::string& word : CLI::detail::split(list, ',')) {
    if (word == "none") continue;
    const bool is_all = word == "all";
    bool* const chosen = word == "symmetry" ? &out.symmetry
                         : word == "locals" ? &out.dead_locals
                         : word == "steps"  ? &out.local_steps
                         : word == "order"  ? &out.partial_order
                                            : nullptr;
    if (chosen == nullptr && !is_all) {
      throw UsageError{
          fmt::format("--reduce wants all, none, or some of symmetry, locals, steps, order, not `{}`", word)};
    }
    if (is_all) out = {};
    if (chosen != nullptr) *chosen = true;
  }
}

void read_ints(const std::string& text, engine::Settings& settings) {
  const std::size_t dots = text.find("..");
  const auto low = dots == std::string::npos ? std::nullopt : number<std::int64_t>(text.substr(0, dots));
  const auto high = dots == std::string::npos ? std::nullopt : number<std::int64_t>(text.substr(dots + 2));
  if (!low || !high || *low > *high) {
    throw UsageError{fmt::format("--ints wants two numbers LO..HI with LO at most HI, such as -2..3, not `{}`", text)};
  }
  settings.int_low = *low;
  settings.int_high = *high;
}

void require_java_range(const engine::Settings& settings) {
  using Java = std::numeric_limits<std::int32_t>;
  if (settings.ints != engine::IntMode::kJava) return;
  if (settings.int_low >= Java::min() && settings.int_high <= Java::max()) return;
  throw UsageError{"--ints: with --int java the numbers have 32 bits"};
}

std::optional<std::chrono::milliseconds> read_timeout(const std::string& option, const std::string& text) {
  constexpr double kMostSeconds = 1e9;
  const auto seconds = number<double>(text);
  if (!seconds || !std::isfinite(*seconds) || *seconds <= 0 || *seconds > kMostSeconds) {
    throw UsageError{fmt::format("{} wants a number of seconds greater than 0, not `{}`", option, text)};
  }
  return std::chrono::milliseconds(std::max<std::int64_t>(1, std::llround(*seconds * 1000)));
}

// ------------------------------------------------------------------------------------------------------------ options

// One verb's options, as they are declared to CLI11 and listed by --help.
class CommandLine {
 public:
  explicit CommandLine(const VerbPage& verb) : verb_(verb) {
    app_.set_help_flag("-h,--help", "this help");
    app_.allow_extras();
    options_.verb = verb.verb;
    options_.check.settings.jobs = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  }

  Options parse(std::vector<std::string> arguments) {
    declare();
    const auto dashes = std::find(arguments.begin(), arguments.end(), "--");  // what follows is no option
    const std::vector<std::string> rest(dashes == arguments.end() ? dashes : dashes + 1, arguments.end());
    arguments.erase(dashes, arguments.end());
    for (const std::string& argument : arguments) refuse_missing_value(argument);
    std::reverse(arguments.begin(), arguments.end());  // as CLI11 wants them
    app_.parse(arguments);
    options_.files.insert(options_.files.end(), rest.begin(), rest.end());
    refuse_unknown();
    for (const auto& read : readers_) read();
    require_java_range(options_.check.settings);
    if (options_.quiet && options_.verbose) throw UsageError{"-q and -v exclude each other"};
    refuse_vain_suggestions();
    refuse_vain_saving();
    if (verb_.verb != Verb::kExplain && options_.files.empty()) {
      throw UsageError{fmt::format("{} wants at least one FILE", verb_.name)};
    }
    if (verb_.verb == Verb::kReplay && options_.files.size() > 1) throw UsageError{"replay wants one PROOF"};
    return std::move(options_);
  }

  VerbManual manual() {
    declare();
    return {verb_.name, verb_.arguments, verb_.summary, verb_.description, options()};
  }

  std::string help() const {
    std::string text = fmt::format("usage: concord {} {}\n\n{}\n", verb_.name, verb_.arguments, verb_.description);
    const bool reads_program = verb_.verb != Verb::kExplain && verb_.verb != Verb::kReplay;
    if (reads_program) text += kFiles;
    text += "\n";
    for (const OptionManual& it : options()) { text += option_help("  " + it.usage(), it.description, it.preset); }
    const bool judges = verb_.verb != Verb::kShow && verb_.verb != Verb::kExplain;
    return text + (judges ? std::string("\n") + kStatuses : "");
  }

 private:
  using Read = std::function<void(const std::string&)>;

  static std::vector<std::string> names_of(const CLI::Option& option) {
    std::vector<std::string> names;
    for (const std::string& name : option.get_snames()) names.push_back("-" + name);
    for (const std::string& name : option.get_lnames()) names.push_back("--" + name);
    return names;
  }

  // Those that are told: neither positional nor hidden.
  std::vector<OptionManual> options() const {
    std::vector<OptionManual> all;
    for (const CLI::Option* it : app_.get_options()) {
      if (it->get_positional() || it->get_group().empty()) continue;
      const std::string value = it->get_option_text();
      all.push_back({names_of(*it), value, words_of(value), it->get_description(), it->get_default_str()});
    }
    return all;
  }

  // What may stand for a placeholder, as far as that can be listed.
  static std::vector<std::string> words_of(const std::string& placeholder) {
    if (placeholder == "ENGINE") return check::engine_names();
    if (placeholder == "KIND[,KIND]") return with(kind_names(), {"all"});
    if (placeholder == "WHAT[,WHAT]") return {"symmetry", "locals", "steps", "order", "all", "none"};
    std::vector<std::string> words;
    for (const std::string& word : CLI::detail::split(placeholder, '|')) {
      if (std::ranges::none_of(word, [](char it) { return it >= 'A' && it <= 'Z'; })) words.push_back(word);
    }
    return placeholder.empty() ? std::vector<std::string>{} : words;
  }

  static std::vector<std::string> with(std::vector<std::string> words, const std::vector<std::string>& more) {
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  // The name, then the description in a column of its own; the default is not torn apart.
  static std::string option_help(const std::string& name, const std::string& description, const std::string& preset) {
    std::vector<std::string> lines = report::wrap(description, kHelpWidth - kOptionWidth);
    if (!preset.empty()) {
      const std::string remark = "(default: " + preset + ")";
      const bool fits = report::width(lines.back()) + 1 + report::width(remark) <= kHelpWidth - kOptionWidth;
      fits ? lines.back() += " " + remark : lines.emplace_back("  " + remark);
    }
    std::string text = report::pad(name, kOptionWidth);
    for (std::size_t i = 0; i < lines.size(); ++i) {
      text += (i == 0 ? "" : std::string(kOptionWidth, ' ')) + lines[i] + "\n";
    }
    return text;
  }

  void declare() {
    if (verb_.verb == Verb::kExplain) return declare_explain();
    app_.add_option("FILE", options_.files);
    if (verb_.verb == Verb::kReplay) return declare_replay();
    declare_java();
    if (verb_.verb == Verb::kShow) return declare_show();
    declare_what();
    declare_bounds();
    declare_limits();
    if (verb_.verb == Verb::kVerify) declare_solver();
    if (verb_.verb == Verb::kVerify) declare_model();
    declare_report();
  }

  // An option with a value that `read` interprets.
  CLI::Option* value(const char* name, const char* placeholder, const char* preset, const char* description,
                     Read read) {
    CLI::Option* option = app_.add_option(name, CLI::callback_t{}, description)->option_text(placeholder)->expected(1);
    option->default_str(preset);
    readers_.push_back([option, name, read = std::move(read)] {
      for (const std::string& text : option->results()) {
        if (text.empty()) throw UsageError{fmt::format("{} wants a value", name)};
        read(text);
      }
    });
    return option;
  }

  void declare_java() {
    value("--main", "CLASS", "the one with a main method", "Java: the class whose main method is run",
          [&](const std::string& name) { options_.java.main_class = name; });
    value("--classpath", "PATH", "none", "Java: where the compiler finds compiled classes",
          [&](const std::string& path) { options_.java.class_path = path; });
    value("--source-path", "PATH", "none", "Java: where the compiler finds further sources",
          [&](const std::string& path) { options_.java.source_path = path; });
    value("--int", "java|math", "java for Java, math for Plato", "integers with wrap-around, or unbounded",
          [&](const std::string& word) {
            options_.check.settings.ints = one_of<engine::IntMode>("--int", word, {"math", "java"});
            options_.java.unbounded_ints = options_.check.settings.ints == engine::IntMode::kMath;
          });
    app_.add_flag("--client", options_.java.client,
                  "Java: a most general client instead of main; always, if there is no main");
    app_.add_flag_callback(
        "--no-cache", [&] { options_.use_cache = options_.java.use_cache = false; },
        "use nothing that an earlier run found out: read Java anew, prove everything again");
  }

  void declare_what() {
    check::CheckOptions& check = options_.check;
    if (verb_.verb == Verb::kExplore) check.engine = check::EngineChoice::kExplore;
    if (verb_.verb == Verb::kVerify) {
      value(
          "--engine", "ENGINE", "auto",
          "auto, modular, threads, explore, referee, shape or dynamic; referee: explore without any cleverness; auto: "
          "threads where there are abstract threads, modular, dynamic where it is said what all threads compute, shape "
          "for two seconds, then explore for what is left, with any number of threads for a minute at most",
          [&](const std::string& word) {
            check.engine = one_of<check::EngineChoice>("--engine", word, check::engine_names());
          });
    }
    value("--property", "KIND[,KIND]", "none",
          "kinds to check besides what the program asks for, as `concord explain` lists them; all: every kind",
          [&](const std::string& list) { read_kinds(list, check.requested); })
        ->take_all();
    value("--only", "PROCEDURE", "of the whole program", "just the properties of this procedure or named thread",
          [&](const std::string& name) { check.settings.only = name; });
  }

  void declare_bounds() {
    engine::Settings& settings = options_.check.settings;
    value("--threads", "N|unbounded", "unbounded",
          "the value of every symbolic or unbounded thread count; exploration cannot verify unbounded ones, its bound "
          "then gives unknown",
          [&](const std::string& text) {
            if (text == "unbounded") return settings.threads.reset();
            const auto count = number<std::int64_t>(text);
            if (!count || *count < 1 || *count > kMostThreads) {
              throw UsageError{fmt::format("--threads wants a whole number from 1 to {} or `unbounded`, not `{}`",
                                           kMostThreads, text)};
            }
            settings.threads = count;
          });
    value("--ints", "LO..HI", "-2..3", "exploration: the values tried for integers that are free",
          [&](const std::string& text) { read_ints(text, settings); });
    value("--objects", "N", "8", "exploration: how many objects and arrays a run may allocate",
          [&](const std::string& text) { settings.max_objects = bound("--objects", text); });
    value("--started", "N", "8", "exploration: how many threads a run may start",
          [&](const std::string& text) { settings.max_started = bound("--started", text); });
    value(
        "--reduce", "WHAT[,WHAT]", "all",
        "exploration and shape: what spares them states: symmetry (threads that are alike are not told apart), locals "
        "(dead local "
        "variables do not count), steps (steps that concern nobody else are taken at once), order (where one thread's "
        "steps "
        "have nothing to do with what the others may do, the others wait); all or none of them",
        [&](const std::string& list) { read_reductions(list, settings.reductions); });
    app_.add_flag_callback(
        "--no-reductions", [&] { read_reductions("none", settings.reductions); }, "the same as --reduce none");
  }

  static int bound(const std::string& option, const std::string& text) {
    return static_cast<int>(number_between(option, text, 0, kMostThreads));
  }

  void declare_model() {
    value("--join", "relational|partial", "relational",
          "models of TVLA's: keep all structures apart, or join those with the same individuals",
          [&](const std::string& word) {
            options_.join = one_of<engine::shape::Join>("--join", word, {"relational", "partial"});
          });
    value("--define", "NAME", "none", "models of TVLA's: a name that #ifdef finds defined",
          [&](const std::string& name) { options_.definitions.push_back(name); })
        ->take_all();
  }

  void declare_limits() {
    value("--timeout", "SECONDS", "none", "time limit of the whole run",
          [&](const std::string& text) { options_.timeout = read_timeout("--timeout", text); });
    value("--memory", "MB", "three quarters of this machine's memory", "memory limit of the whole run",
          [&](const std::string& text) {
            constexpr std::int64_t kMostMegabytes = std::int64_t{1} << 30;
            options_.memory_bytes = static_cast<std::uint64_t>(number_between("--memory", text, 1, kMostMegabytes))
                                    << 20U;
          });
    value("--solver-timeout", "SECONDS", "10", "time limit of one obligation", [&](const std::string& text) {
      options_.check.settings.solver_timeout = *read_timeout("--solver-timeout", text);
    });
    value("-j", "N", "all cores", "work in parallel; the answers do not depend on it", [&](const std::string& text) {
      options_.check.settings.jobs = static_cast<int>(number_between("-j", text, 1, kMostThreads));
    });
  }

  void declare_solver() {
    engine::Settings& settings = options_.check.settings;
    value("--solver", "z3|cvc5|both", "z3", "both: a portfolio; they must not contradict each other",
          [&](const std::string& word) {
            settings.solver = one_of<engine::SolverChoice>("--solver", word, {"z3", "cvc5", "both"});
          });
    value("--solver-seed", "N", "0", "the random seed of the solver", [&](const std::string& text) {
      settings.solver_seed = static_cast<unsigned>(number_between("--solver-seed", text, 0, kMostThreads));
    });
    value("--dump-smt", "FOLDER", "nowhere", "write every question to the solver there, as an SMT-LIB file",
          [&](const std::string& folder) { settings.dump_smt = folder; });
    value("--save-proof", "FILE", "nowhere", "dynamic: write what is proved there, for `concord replay`",
          [&](const std::string& file) { options_.save_proof = file; });
    app_.add_flag("--suggest", options_.suggests,
                  "find annotations first, as few as prove what they prove together, and print them as a patch");
    app_.add_flag_callback(
        "--uses", [&] { settings.tells_uses = true; },
        "modular: say which clauses each proof uses (-v), and which no other proof uses");
    app_.add_flag_callback(
        "--no-postpone", [&] { settings.postpone = false; },
        "modular: let other threads act on everything before every operation");
  }

  void declare_report() {
    value("--format", "text|json|sarif", "text", "how to print the report", [&](const std::string& word) {
      options_.format = one_of<Format>("--format", word, {"text", "json", "sarif"});
    });
    value("--report", "FOLDER", "none", "write a page to look at into this folder as well, index.html",
          [&](const std::string& folder) {
            options_.report_folder = folder;
            options_.check.settings.keeps_evidence = true;
          });
    value("--color", "auto|always|never", "auto", "colours in text; auto: on a terminal", [&](const std::string& word) {
      options_.color = one_of<Color>("--color", word, {"auto", "always", "never"});
    });
    app_.add_flag("-q", options_.quiet, "text: only the line with the counts");
    app_.add_flag("-v", options_.verbose,
                  "list every property and every assumption, and say why this engine was chosen");
  }

  void declare_replay() {
    app_.add_flag("--print", options_.prints_proof, "print the tree instead");
    value("--fold", "DEPTH", "nothing is folded", "print the tree, and what lies deeper only as a number",
          [&](const std::string& text) {
            options_.fold = static_cast<int>(number_between("--fold", text, 1, kMostThreads));
            options_.prints_proof = true;
          });
    app_.add_flag(
        "--trust", options_.trusts,
        "believe what only the solver shows again that found it, where the other one does not know; such leaves "
        "are listed");
    value("--timeout", "SECONDS", "none", "time limit of the whole run",
          [&](const std::string& text) { options_.timeout = read_timeout("--timeout", text); });
    value("--solver-timeout", "SECONDS", "10", "time limit of one leaf", [&](const std::string& text) {
      options_.check.settings.solver_timeout = *read_timeout("--solver-timeout", text);
    });
    app_.add_flag("-q", options_.quiet, "only the line with the counts");
  }

  void declare_show() {
    declare_model();
    app_.add_flag("--cfg", options_.cfg, "the control flow graph of each procedure instead");
    app_.add_flag("--dot", options_.dot,
                  "the control flow graphs as DOT, for Graphviz; of a model of TVLA's the structures that are reached");
    app_.add_flag("--bare", options_.bare,
                  "without what is specified about steps: the code, assertions and invariants");
    app_.add_flag("--abstract", options_.abstract, "the program of its abstract threads");
    app_.add_flag("--promela", options_.promela, "the program as Promela, for SPIN");
    value("--threads", "N", "2", "with --promela: the value of every symbolic or unbounded thread count",
          [&](const std::string& text) {
            options_.check.settings.threads = number_between("--threads", text, 1, kMostThreads);
          });
  }

  void declare_explain() {
    app_.add_option("KIND", options_.kind);
    app_.add_flag("--markdown", options_.markdown)->group("");
    readers_.push_back([&] {
      if (options_.kind.empty() || diag::kind_named(options_.kind)) return;
      throw UsageError{fmt::format("there is no kind `{}`; {}", options_.kind,
                                   did_you_mean(options_.kind, kind_names(), "`concord explain` lists the kinds"))};
    });
  }

  // Only proofs say which annotations hold, and only of the whole program.
  void refuse_vain_suggestions() const {
    if (!options_.suggests) return;
    const check::EngineChoice engine = options_.check.engine;
    if (engine != check::EngineChoice::kAuto && engine != check::EngineChoice::kModular &&
        engine != check::EngineChoice::kThreads) {
      throw UsageError{"--suggest is for --engine auto, modular and threads"};
    }
    if (!options_.check.settings.only.empty()) throw UsageError{"--suggest and --only exclude each other"};
  }

  // Other engines have no proofs to save.
  void refuse_vain_saving() {
    if (options_.save_proof.empty()) return;
    const check::EngineChoice engine = options_.check.engine;
    if (engine != check::EngineChoice::kAuto && engine != check::EngineChoice::kDynamic) {
      throw UsageError{"--save-proof is for --engine auto and dynamic"};
    }
    options_.check.settings.keeps_proof = true;
    options_.use_cache = false;
  }

  // `--property= FILE`: CLI11 would take FILE for the value.
  void refuse_missing_value(const std::string& argument) const {
    if (!argument.starts_with("--") || !argument.ends_with('=')) return;
    const std::string name = argument.substr(0, argument.size() - 1);
    const CLI::Option* option = app_.get_option_no_throw(name);
    if (option != nullptr && option->get_expected_min() > 0) {
      throw UsageError{fmt::format("{} wants a value right after the `=`", name)};
    }
  }

  void refuse_unknown() const {
    const std::vector<std::string> extra = app_.remaining();
    if (extra.empty()) return;
    const std::string word = extra.front().substr(0, extra.front().find('='));
    if (!word.starts_with('-')) throw UsageError{fmt::format("`{}` is one argument too many", extra.front())};
    std::vector<std::string> names;
    for (const OptionManual& it : options()) names.push_back(it.names.back());
    const std::string otherwise = fmt::format("`concord {} --help` lists the options", verb_.name);
    throw UsageError{fmt::format("{} has no option `{}`; {}", verb_.name, word, did_you_mean(word, names, otherwise))};
  }

  const VerbPage& verb_;
  CLI::App app_;
  Options options_;
  std::vector<std::function<void()>> readers_;
};

Parsed usage(const std::string& message) { return {std::nullopt, kBadUsage, "", "concord: " + message + "\n"}; }
Parsed printed(std::string text) { return {std::nullopt, 0, std::move(text), ""}; }
Parsed prose(std::string text) { return {std::nullopt, 0, std::move(text), "", true}; }

Parsed parse_verb(const VerbPage& verb, std::vector<std::string> arguments) {
  CommandLine line(verb);
  try {
    return {line.parse(std::move(arguments)), 0, "", ""};
  } catch (const CLI::CallForHelp&) { return prose(line.help()); } catch (const CLI::ArgumentMismatch& error) {
    const std::string what = error.what();
    return usage(fmt::format("{} wants one value", what.substr(0, what.find(':'))));
  } catch (const CLI::ParseError& error) { return usage(error.what()); } catch (const UsageError& error) {
    return usage(error.message);
  }
}

Parsed unknown_verb(const std::string& word) {
  const bool is_file = word.find_first_of("./") != std::string::npos;
  if (is_file) return usage(fmt::format("`{0}` is no verb; did you mean `concord verify {0}`?", word));
  std::vector<std::string> names = top_options();
  for (const VerbPage& verb : verbs()) names.emplace_back(verb.name);
  return usage(fmt::format("there is no {} `{}`; {}", word.starts_with('-') ? "option" : "verb", word,
                           did_you_mean(word, names, "`concord --help` lists the verbs")));
}

Manual manual() {
  std::vector<VerbManual> told;
  for (const VerbPage& verb : verbs()) told.push_back(CommandLine(verb).manual());
  return {std::move(told), top_options(), kind_names(), kFiles, kStatuses};
}

}  // namespace

Parsed parse(const std::vector<std::string>& arguments, std::string_view version) {
  if (arguments.empty()) return {std::nullopt, kBadUsage, "", short_help()};
  const std::string& first = arguments.front();
  if (first == "-h" || first == "--help") return prose(top_help());
  if (first == "--version") return printed(version_text(version));
  if (first == "--json-schema") return printed(std::string(report::json_schema()));
  if (first == "--man") return printed(man_page(manual(), version));
  if (first == "--completion") return printed(bash_completion(manual()));
  for (const VerbPage& verb : verbs()) {
    if (first != verb.name) continue;
    Parsed parsed = parse_verb(verb, {arguments.begin() + 1, arguments.end()});
    if (parsed.options) parsed.options->arguments = arguments;
    return parsed;
  }
  return unknown_verb(first);
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates,
                         const std::string& otherwise) {
  const std::string nearest = diag::nearest(word, candidates);
  return nearest.empty() ? otherwise : fmt::format("did you mean `{}`?", nearest);
}

}  // namespace concord::tool

#include "tool/manual.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <string>

namespace concord::tool {

namespace {

// ----------------------------------------------------------------------------------------------------------- manual page

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

// As text of troff's: hyphens are those of the keyboard, and no line is a command.
std::string troff(std::string text) {
  replace_all(text, "\\", "\\e");
  replace_all(text, "-", "\\-");
  replace_all(text, "…", "...");
  replace_all(text, "\n", "\n\\&");
  return "\\&" + text;
}

std::string section(std::string_view name, std::string_view content) {
  return fmt::format(".SH {}\n{}", name, content);
}

std::string paragraph(const std::string& text) {
  const std::size_t end = text.find_last_not_of('\n') + 1;
  return ".PP\n" + troff(text.substr(0, end)) + "\n";
}

std::string option_entry(const OptionManual& option) {
  const std::string preset = option.preset.empty() ? "" : fmt::format(" (default: {})", option.preset);
  return fmt::format(".TP\n.B {}\n{}\n", troff(option.usage()), troff(option.description + preset));
}

std::string verb_section(const VerbManual& verb) {
  std::string text =
      fmt::format(".SS concord {} {}\n{}", verb.name, troff(verb.arguments), paragraph(verb.description));
  for (const OptionManual& it : verb.options) text += option_entry(it);
  return text;
}

std::string synopsis(const Manual& manual) {
  std::string text;
  for (const VerbManual& it : manual.verbs) {
    text += fmt::format("{}.B concord {}\n{}\n", text.empty() ? "" : ".br\n", it.name, troff(it.arguments));
  }
  return text + fmt::format(".br\n.B concord\n{}\n", troff(fmt::format("{}", fmt::join(manual.top_options, " | "))));
}

constexpr std::string_view kAbout =
    "Concord takes a multithreaded program, in Java, in Plato or as a model of TVLA's, and says, for every schedule, "
    "whether it can go "
    "wrong: assertions, invariants, contracts between threads, data races, deadlocks. The answer is `verified', under "
    "assumptions that "
    "it lists, or a run that goes wrong, step by step; or `unproved' or `unknown', and why.";

std::string environment() {
  const auto entry = [](std::string_view name, const std::string& text) {
    return fmt::format(".TP\n.B {}\n{}\n", name, troff(text));
  };
  return entry("CONCORD_PROOFS",
               "the folder in which proofs and answers of earlier runs are kept (absolute), or none") +
         entry("XDG_CACHE_HOME", "where that folder is otherwise, as concord/; ~/.cache if it is not set") +
         entry("JAVA_HOME", "the JDK that reads Java; otherwise the first one in PATH that is new enough");
}

// ------------------------------------------------------------------------------------------------------------ completion

constexpr std::string_view kFileCompletion = "mapfile -t COMPREPLY < <(compgen -f -- \"$word\")";

// `concord VERB OPTION` is what stands before the word.
std::string value_case(const VerbManual& verb, const OptionManual& option) {
  std::vector<std::string> patterns;
  for (const std::string& name : option.names) patterns.push_back(fmt::format("'{} {}'", verb.name, name));
  std::string action = ":";
  if (!option.words.empty()) {
    const bool is_list = option.value.find(',') != std::string::npos;
    action = fmt::format("{} {}", is_list ? "_concord_list" : "_concord_words", fmt::join(option.words, " "));
  } else if (option.value == "FILE" || option.value == "FOLDER" || option.value == "PATH") {
    action = kFileCompletion;
  }
  return fmt::format("    {}) {} ;;\n", fmt::join(patterns, " | "), action);
}

std::string verb_case(const VerbManual& verb, const std::vector<std::string>& kinds) {
  std::vector<std::string> names;
  for (const OptionManual& it : verb.options) names.insert(names.end(), it.names.begin(), it.names.end());
  const bool explains = verb.arguments.find("KIND") != std::string::npos;
  const std::string rest =
      explains ? fmt::format("_concord_words {}", fmt::join(kinds, " ")) : std::string(kFileCompletion);
  return fmt::format("    '{0} -'*) _concord_words {1} ;;\n    '{0} '*) {2} ;;\n", verb.name, fmt::join(names, " "),
                     rest);
}

constexpr std::string_view kHelpers =
    R"(# What bash has to know to complete `concord …`; `concord --completion` prints it.
_concord_words() { COMPREPLY=($(compgen -W "$*" -- "$word")); }

# Of words with commas between them the last one.
_concord_list() {
  local before=
  [[ $word != *,* ]] || before=${word%,*},
  COMPREPLY=($(compgen -P "$before" -W "$*" -- "${word##*,}"))
}

_concord() {
  local word=${COMP_WORDS[COMP_CWORD]} option=${COMP_WORDS[COMP_CWORD - 1]} verb=${COMP_WORDS[1]}
  COMPREPLY=()
  # Bash takes `--engine=modular` for three words.
  [[ $option != = ]] || option=${COMP_WORDS[COMP_CWORD - 2]}
  [[ $word != = ]] || word=
)";

}  // namespace

std::string OptionManual::usage() const {
  return fmt::format("{}{}{}", fmt::join(names, ", "), value.empty() ? "" : " ", value);
}

std::string man_page(const Manual& manual, std::string_view version) {
  std::string text = fmt::format(".TH CONCORD 1 \"\" \"concord {}\"\n", version);
  text += section("NAME", "concord \\- verify multithreaded programs\n");
  text += section("SYNOPSIS", synopsis(manual));
  text += section("DESCRIPTION", paragraph(std::string(kAbout)) + paragraph(manual.files));
  text += section("VERBS AND OPTIONS", "");
  for (const VerbManual& it : manual.verbs) text += verb_section(it);
  text += section("EXIT STATUS", paragraph(manual.statuses));
  text += section("ENVIRONMENT", environment());
  return text;
}

std::string bash_completion(const Manual& manual) {
  std::vector<std::string> first = manual.top_options;
  for (const VerbManual& it : manual.verbs) first.push_back(it.name);
  std::string text(kHelpers);
  text += fmt::format("  ((COMP_CWORD > 1)) || {{ _concord_words {}; return; }}\n", fmt::join(first, " "));
  text += "  case \"$verb $option\" in\n";
  for (const VerbManual& verb : manual.verbs) {
    for (const OptionManual& it : verb.options) {
      if (!it.value.empty()) text += value_case(verb, it);
    }
  }
  text += "    *) _concord_argument ;;\n  esac\n}\n\n_concord_argument() {\n  case \"$verb $word\" in\n";
  for (const VerbManual& it : manual.verbs) text += verb_case(it, manual.kinds);
  return text + "  esac\n}\n\ncomplete -o filenames -F _concord concord\n";
}

}  // namespace concord::tool

// What the tool tells of itself besides --help: the manual page, and what bash has to know to complete a command. Both are made of
// the table of options that the command line is parsed by, so neither can tell of an option that is not there, or forget one.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace concord::tool {

struct OptionManual {
  std::vector<std::string> names;  // "-h", "--help"
  std::string value;               // a placeholder, "FILE", "z3|cvc5|both"; empty: a flag
  std::vector<std::string> words;  // what may stand there, as far as that can be listed
  std::string description;
  std::string preset;  // what holds without the option, or empty

  std::string usage() const;  // "-h, --help", "--save-proof FILE"
};

struct VerbManual {
  std::string name;
  std::string arguments;
  std::string summary;
  std::string description;
  std::vector<OptionManual> options;
};

struct Manual {
  std::vector<VerbManual> verbs;
  std::vector<std::string> top_options;  // in place of a verb: "--version"
  std::vector<std::string> kinds;        // what `explain` takes
  std::string files;                     // what FILE is
  std::string statuses;                  // what the exit status means
};

std::string man_page(const Manual& manual, std::string_view version);  // in troff's language
std::string bash_completion(const Manual& manual);

}  // namespace concord::tool

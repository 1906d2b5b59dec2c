// The parser of TVS files: structures that runs begin with.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "diag/diagnostic.h"
#include "engine/shape/system.h"
#include "engine/shape/tvla/token_reader.h"

namespace concord::engine::shape::tvla {

class StructureParser : private TokenReader {
 public:
  StructureParser(std::vector<Token> tokens, const System& system, diag::Sink& sink);
  // Meaningful only if the sink has no error.
  std::vector<Given> structures();

 private:
  struct Thread {
    int node = -1;
    int label = -1;
    base::SourceRange range;
    std::string type;
  };

  void structure();
  void open(const char* directive);
  void threads();
  void thread();
  int thread_label(const ThreadType& type);
  Word node_name();
  int add_node(const Word& name);
  int node();
  void values();
  void predicate_values();
  void entry(int predicate, const std::string& name);
  std::size_t arity(int predicate) const;
  bool is_refused(int predicate, const std::string& name, Kleene value, base::SourceRange range);
  void add_value(int predicate, std::vector<int> tuple, Kleene value, base::SourceRange range);
  void imply(int predicate, int node, Kleene value, base::SourceRange range, const std::string& because);
  void complete_threads();
  void check_labels();
  Kleene value_of(int predicate, int node) const;

  const System& system_;
  std::unordered_map<std::string, int> predicates_;
  std::unordered_map<std::string, int> labels_;
  std::unordered_map<std::string, const ThreadType*> types_;
  std::unordered_map<int, int> label_of_;  // by the predicate that says an individual is there
  // Of the structure that is being read:
  Given given_;
  std::unordered_map<std::string, int> nodes_;
  std::vector<Thread> threads_;                                     // by node
  std::map<std::pair<int, std::vector<int>>, std::size_t> places_;  // of values
};

}  // namespace concord::engine::shape::tvla

#include "tool/spelling.h"

#include <cctype>
#include <cstddef>

namespace concord::tool {

namespace {

bool is_of_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '$'; }

class Speller {
 public:
  explicit Speller(const std::map<std::string, std::string>& spelled) : spelled_(spelled) {}

  void operator()(std::string& text) const { text = in_users_words(text, spelled_); }
  void operator()(std::vector<std::string>& list) const {
    for (std::string& it : list) (*this)(it);
  }
  void operator()(engine::Changes& changes) const {
    for (auto& [location, value] : changes) (*this)(location), (*this)(value);
  }
  void operator()(engine::Situation& it) const {
    (*this)(it.shared), (*this)(it.held);
    for (engine::Situation::Object& object : it.heap) (*this)(object.name), (*this)(object.fields);
    for (engine::Situation::Local& local : it.locals) (*this)(local.procedure), (*this)(local.values);
  }
  void operator()(engine::Trace& trace) const {
    (*this)(trace.initial);
    (*this)(trace.before);
    for (engine::TraceStep& it : trace.steps) (*this)(it.changes), (*this)(it.note), (*this)(it.after);
    for (engine::StuckThread& it : trace.ending) (*this)(it.detail);
  }
  void operator()(std::vector<engine::PropertyResult>& results) const {
    for (engine::PropertyResult& it : results) {
      (*this)(it.message), (*this)(it.reason), (*this)(it.trace);
      (*this)(it.counterexample.before), (*this)(it.counterexample.after);
      for (engine::Related& related : it.related) (*this)(related.message);
    }
  }

 private:
  const std::map<std::string, std::string>& spelled_;
};

}  // namespace

std::string in_users_words(const std::string& text, const std::map<std::string, std::string>& spelled) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    std::size_t end = at;
    while (end < text.size() && is_of_word(text[end])) ++end;
    if (end == at) {
      out += text[at++];
      continue;
    }
    const auto found = spelled.find(text.substr(at, end - at));
    out += found == spelled.end() ? text.substr(at, end - at) : found->second;
    at = end;
  }
  return out;
}

void spell(check::CheckResult& result, const std::map<std::string, std::string>& spelled) {
  if (spelled.empty()) return;
  const Speller speller(spelled);
  speller(result.results), speller(result.waived);
  speller(result.notes), speller(result.inferred), speller(result.assumptions);
}

}  // namespace concord::tool

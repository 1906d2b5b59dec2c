#include "engine/shape/tvla/macros.h"

#include <algorithm>
#include <utility>

namespace concord::engine::shape::tvla {

namespace {

bool is_space(char c) { return is_blank(c) || c == '\n'; }

std::size_t end_of_word(const Text& text, std::size_t i) {
  while (i < text.size() && is_macro_letter(text[i])) ++i;
  return i;
}

std::size_t after_space(const Text& text, std::size_t i) {
  while (i < text.size() && is_space(text[i])) ++i;
  return i;
}

bool pastes(const Text& body, std::size_t at) { return body.view().substr(at).starts_with("##"); }

Text trimmed(const Text& text, std::size_t begin, std::size_t end) {
  while (begin < end && is_space(text[begin])) ++begin;
  while (begin < end && is_space(text[end - 1])) --end;
  return text.part(begin, end);
}

}  // namespace

void Macros::expand(const Text& in, Text& out) {
  if (++depth_ > kMostNesting) give_up(in.range(0, 1), "macros are nested too deeply here");
  bool in_string = false;
  std::size_t i = 0;
  while (i < in.size() && !gave_up_) {
    const std::size_t end = std::max(end_of_word(in, i), i + 1);
    if (is_letter(in[i])) {
      i = replace(in, i, end, in_string, out);
      continue;
    }
    if (in[i] == '"') in_string = !in_string;
    if (in[i] == '\n') in_string = false;
    out.add(in, i, end);
    i = end;
  }
  --depth_;
}

const Macro* Macros::usable(const std::string& name) const {
  const auto found = macros_.find(name);
  if (found == macros_.end() || std::find(hidden_.begin(), hidden_.end(), name) != hidden_.end()) return nullptr;
  return &found->second;
}

// The word from `begin` to `end`; where to go on.
std::size_t Macros::replace(const Text& in, std::size_t begin, std::size_t end, bool in_string, Text& out) {
  const std::string name(in.view(begin, end));
  const Macro* macro = usable(name);
  std::optional<Call> use = Call{{}, end};
  if (macro != nullptr && macro->parameters) use = call(in, begin, end, in_string);
  if (macro == nullptr || !use || !fits(*macro, *use, in.range(begin, end))) {
    out.add(in, begin, end);
    return end;
  }
  const Text body = substitute(*macro, use->arguments);
  spend(body.size() + 1, in.range(begin, end));
  hidden_.push_back(name);
  expand(body, out);
  hidden_.pop_back();
  return use->end;
}

// The arguments after the name of a macro; nothing if there are none. In a string they do not reach beyond it.
std::optional<Macros::Call> Macros::call(const Text& in, std::size_t begin, std::size_t end, bool in_string) {
  std::size_t i = after_space(in, end);
  if (i >= in.size() || in[i] != '(') return std::nullopt;
  Call out;
  int open = 0;
  bool quoted = false;
  std::size_t argument = i + 1;
  for (; i < in.size(); ++i) {
    if (in[i] == '"' && in_string) break;
    if (in[i] == '"') quoted = !quoted;
    if (quoted) continue;
    if (in[i] == '(') ++open;
    if (in[i] == ')') --open;
    if (open == 0 || (open == 1 && in[i] == ',')) {
      out.arguments.push_back(trimmed(in, argument, i));
      argument = i + 1;
    }
    if (open == 0) break;
  }
  out.end = i + 1;
  spend(i - begin, in.range(begin, end));
  if (i < in.size() && open == 0) return out;
  if (!in_string) {
    give_up(in.range(begin, end),
            "the arguments of the macro `" + std::string(in.view(begin, end)) + "` are never closed");
  }
  return std::nullopt;
}

bool Macros::fits(const Macro& macro, Call& call, base::SourceRange name) {
  if (!macro.parameters) return true;
  const std::size_t wanted = macro.parameters->size();
  if (wanted == 0 && call.arguments.size() == 1 && call.arguments[0].size() == 0) call.arguments.clear();
  if (call.arguments.size() == wanted) return true;
  sink_.error(name, "this macro takes " + std::to_string(wanted) + (wanted == 1 ? " argument" : " arguments") +
                        ", but is given " + std::to_string(call.arguments.size()));
  gave_up_ = true;
  return false;
}

Text Macros::substitute(const Macro& macro, const std::vector<Text>& arguments) {
  const Text& body = macro.body;
  const std::vector<std::string> names = macro.parameters.value_or(std::vector<std::string>{});
  Text out;
  bool pasted = false;  // to what is before
  for (std::size_t i = 0; i < body.size() && !gave_up_;) {
    if (const std::size_t next = after_space(body, i); pastes(body, next)) {
      i = after_space(body, next + 2);
      pasted = true;
      continue;
    }
    const std::size_t end = std::max(end_of_word(body, i), i + 1);
    const auto found = std::find(names.begin(), names.end(), body.view(i, end));
    if (found == names.end()) {
      out.add(body, i, end);
    } else {
      const Text& argument = arguments[static_cast<std::size_t>(found - names.begin())];
      spend(argument.size(), body.range(i, end));
      if (pasted || pastes(body, after_space(body, end))) {
        out.add(argument);
      } else {
        expand(argument, out);
      }
    }
    pasted = false;
    i = end;
  }
  return out;
}

void Macros::spend(std::size_t work, base::SourceRange at) {
  work_ += work;
  if (work_ > kMostWork) give_up(at, "the macros used here expand to too much text");
}

void Macros::give_up(base::SourceRange at, std::string message) {
  if (!gave_up_) sink_.error(at, std::move(message));
  gave_up_ = true;
}

}  // namespace concord::engine::shape::tvla

// Pattern matching on sum types: std::visit(Overloaded{[](const A&) {…}, [](const B&) {…}}, variant).
// Leave out a case and the code does not compile; do not add a catch-all `auto` case to silence it.
#pragma once

namespace concord::base {

template <class... Cases>
struct Overloaded : Cases... {
  using Cases::operator()...;
};
template <class... Cases>
Overloaded(Cases...) -> Overloaded<Cases...>;

}  // namespace concord::base

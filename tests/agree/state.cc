#include "state.h"

#include <algorithm>

#include "base/check.h"
#include "plato/classes.h"

namespace concord::agree {

std::strong_ordering operator<=>(const Value& a, const Value& b) {
  if (const auto order = a.number <=> b.number; order != 0) return order;
  if (const auto order = a.depth <=> b.depth; order != 0) return order;
  if (const auto order = a.keys <=> b.keys; order != 0) return order;
  return a.values <=> b.values;
}

Value default_value(const Type& type) {
  Value value;
  if (type.kind == Type::Kind::kMap) value.values.push_back(default_value(*type.second));
  return value;
}

Value look_up(const Value& map, const Value& key) {
  for (std::size_t i = 0; i < map.keys.size(); ++i) {
    if (map.keys[i] == key) return map.values[i];
  }
  return map.values.back();
}

Value with_entry(Value map, const Value& key, const Value& value) {
  const auto at = std::lower_bound(map.keys.begin(), map.keys.end(), key);
  const auto place = at - map.keys.begin();
  const bool present = at != map.keys.end() && *at == key;
  if (present) {
    map.keys.erase(at);
    map.values.erase(map.values.begin() + place);
  }
  if (value == map.values.back()) return map;
  map.keys.insert(map.keys.begin() + place, key);
  map.values.insert(map.values.begin() + place, value);
  return map;
}

Value normalised(Value value, const Type& type, const Program& program) {
  if (type.kind != Type::Kind::kMap) return value;
  for (Value& it : value.values) it = normalised(it, *type.second, program);
  Value result;
  const bool is_bool = type.first->kind == Type::Kind::kBool;
  if (is_bool || type.first->kind == Type::Kind::kEnum) {
    const std::int64_t count =
        is_bool ? 2 : std::ssize(program.enums[static_cast<std::size_t>(type.first->decl)].constants);
    result.values.push_back(look_up(value, number(0)));
    for (std::int64_t key = 1; key < count; ++key)
      result = with_entry(result, number(key), look_up(value, number(key)));
  } else {
    result.values.push_back(value.values.back());
    for (std::size_t i = 0; i < value.keys.size(); ++i) result = with_entry(result, value.keys[i], value.values[i]);
  }
  return result;
}

void normalise(Store& store, const Program& program) {
  for (std::size_t i = 0; i < store.variables.size(); ++i) {
    const Type& type = program.variables[i].type;
    if (type.kind == Type::Kind::kMap) store.variables[i] = normalised(std::move(store.variables[i]), type, program);
  }
  for (Object& object : store.heap) {
    for (std::size_t i = 0; i < object.slots.size(); ++i) {
      const Type& type =
          object.element != nullptr ? *object.element : field_of(program, object.class_index, static_cast<int>(i)).type;
      if (type.kind == Type::Kind::kMap) object.slots[i] = normalised(std::move(object.slots[i]), type, program);
    }
  }
}

// ----------------------------------------------------------------------------------------------------------- locations

namespace {

// `store` and `locals` may be const or not; the answer is the same.
auto& root_of(auto& store, auto& locals, const Location& at) {
  switch (at.root) {
    case Location::Root::kVariable: return store.variables[at.index];
    case Location::Root::kLocal: return locals[at.index];
    case Location::Root::kSlot: return store.heap[static_cast<std::size_t>(at.object - 1)].slots[at.index];
    case Location::Root::kObjectMonitor: break;
  }
  return store.heap[static_cast<std::size_t>(at.object - 1)].monitor;
}

Value with_entry_below(const Value& map, const std::vector<Value>& keys, std::size_t depth, const Value& value) {
  if (depth == keys.size()) return value;
  return with_entry(map, keys[depth], with_entry_below(look_up(map, keys[depth]), keys, depth + 1, value));
}

}  // namespace

Value read(const Store& store, const Locals& locals, const Location& at) {
  Value value = root_of(store, locals, at);
  for (const Value& key : at.keys) value = look_up(value, key);
  return value;
}

void write(Store& store, Locals& locals, const Location& at, Value value) {
  Value& root = root_of(store, locals, at);
  root = with_entry_below(root, at.keys, 0, value);
}

// ------------------------------------------------------------------------------------------------------------ printing

namespace {

std::string print_list(const std::vector<Value>& values) {
  std::string text;
  for (const Value& value : values) text += print(value) + " ";
  return text;
}

std::string print(const Location& at) {
  return std::to_string(static_cast<int>(at.root)) + "/" + std::to_string(at.object) + "/" + std::to_string(at.index) +
         "/" + print_list(at.keys);
}

std::string print(const Activation& activation) {
  std::string text = "p" + std::to_string(activation.procedure) + "(" + print_list(activation.locals) + ")";
  for (const Task& task : activation.tasks) {
    text +=
        " " + std::to_string(reinterpret_cast<std::uintptr_t>(task.statement)) + "@" + std::to_string(task.progress);
  }
  text += " pending " + print(activation.pending);
  if (activation.entry) text += " entry [" + print(*activation.entry) + "]";
  text += " old " + std::to_string(activation.old_objects);
  for (const auto& [result, positions] : activation.positions) {
    text += " F" + print(result) + ":";
    for (const int position : positions) text += std::to_string(position) + ",";
  }
  return text;
}

}  // namespace

std::string print(const Value& value) {
  std::string text = std::to_string(value.number);
  if (value.depth != 0) text += "^" + std::to_string(value.depth);
  if (!value.keys.empty()) text += "{" + print_list(value.keys) + "}";
  if (!value.values.empty()) text += "[" + print_list(value.values) + "]";
  return text;
}

std::string print(const Store& store) {
  std::string text = "consts " + print_list(store.consts) + "variables " + print_list(store.variables) + "threads ";
  for (const int procedure : store.entered) text += std::to_string(procedure) + " ";
  for (const Object& object : store.heap) {
    text += "object " + std::to_string(object.class_index) + "(" + print_list(object.slots) + ")" +
            print(object.monitor) + " ";
  }
  return text;
}

std::string print(const State& state) {
  std::string text = print(state.store) + (state.is_initialised ? "" : "\ninitialising");
  for (const ThreadState& thread : state.threads) {
    text += "\nthread";
    for (const Activation& activation : thread.stack) text += " " + print(activation);
    if (thread.waits_for) {
      text += " waits " + print(*thread.waits_for) + "x" + std::to_string(thread.levels) + (thread.notified ? "!" : "");
    }
    text += " nodes ";
    for (const int node : thread.nodes) text += std::to_string(node) + ",";
  }
  for (const auto& [place, owner] : state.owners) {
    text += "\nowner " + std::to_string(place.first) + "/" + std::to_string(place.second) + " " + std::to_string(owner);
  }
  return text;
}

}  // namespace concord::agree

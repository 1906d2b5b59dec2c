#include "explore/state.h"

namespace concord::explore {

bool overlap(const Location& a, const Location& b) {
  if (a.kind != b.kind || a.object != b.object || a.index != b.index) return false;
  return !a.has_key || !b.has_key || a.key == b.key;
}

void append_to(std::string& bytes, const Store& store) {
  for (const Value& value : store.variables) append_to(bytes, value);
  append_to(bytes, static_cast<Scalar>(store.objects.size()));
  for (const Object& object : store.objects) {
    append_to(bytes, Scalar{object.class_index});
    if (object.class_index < 0) append_to(bytes, Scalar{object.site.begin});  // races are told by where it was made
    append_to(bytes, static_cast<Scalar>(object.fields.size()));
    // The element type of an array is not known here; whether elements are composite makes the bytes readable.
    append_to(bytes, Scalar{!object.fields.empty() && object.fields.front().composite != nullptr});
    for (const Value& value : object.fields) append_to(bytes, value);
    append_to(bytes, object.monitor);
  }
}

void append_to(std::string& bytes, const AbstractPlace::Pending& pending) {
  append_to(bytes, Scalar{pending.action});
  append_to(bytes, *pending.before);
  append_to(bytes, *pending.after);
  append_to(bytes, pending.threads_before);
  append_to(bytes, pending.threads_after);
}

void append_to(std::string& bytes, const Lock& lock) {
  append_to(bytes, lock.object);
  append_to(bytes, static_cast<Scalar>(lock.place.kind));
  append_to(bytes, lock.place.object);
  append_to(bytes, Scalar{lock.place.index});
  append_to(bytes, static_cast<Scalar>(lock.place.keys.size()));
  for (const Place::Key& key : lock.place.keys) append_to(bytes, key.key);
}

namespace {

void append_frame(std::string& bytes, const Frame& frame) {
  append_to(bytes, Scalar{frame.procedure});
  append_to(bytes, Scalar{frame.node});
  append_to(bytes, static_cast<Scalar>(frame.locals.size()));
  for (const Value& value : frame.locals) append_to(bytes, value);
  append_to(bytes, frame.result);
  append_to(bytes, Scalar{frame.return_slot});
  append_to(bytes, Scalar{frame.entry != nullptr});
  if (frame.entry) {
    append_to(bytes, *frame.entry);
    append_to(bytes, frame.entry_threads);
  }
  append_to(bytes, static_cast<Scalar>(frame.places.size()));
  append_to(bytes, frame.entry_objects);
  for (const AbstractPlace& place : frame.places) {
    append_to(bytes, Scalar{place.next});
    append_to(bytes, Scalar{place.result.has_value()});
    append_to(bytes, place.result.value_or(0));
    append_to(bytes, static_cast<Scalar>(place.pending.size()));
    for (const AbstractPlace::Pending& pending : place.pending) append_to(bytes, pending);
  }
}

}  // namespace

void append_to(std::string& bytes, const ThreadState& thread) {
  append_to(bytes, Scalar{thread.declaration});
  append_to(bytes, Scalar{thread.entry});
  append_to(bytes, Scalar{thread.finished});
  append_to(bytes, thread.saved_depth);
  append_to(bytes, thread.waiting);
  append_to(bytes, static_cast<Scalar>(thread.frames.size()));
  for (const Frame& frame : thread.frames) append_frame(bytes, frame);
  append_to(bytes, static_cast<Scalar>(thread.nodes.size()));
  for (const bool node : thread.nodes) bytes.push_back(node ? '1' : '0');
}

std::string to_bytes(const State& state) {
  std::string bytes;
  for (const Value& value : state.consts) append_to(bytes, value);
  append_to(bytes, state.store);
  append_to(bytes, static_cast<Scalar>(state.threads.size()));
  for (const ThreadState& thread : state.threads) append_to(bytes, thread);
  for (const auto& [location, owner] : state.owners) {
    append_to(bytes, static_cast<Scalar>(location.kind));
    append_to(bytes, location.object);
    append_to(bytes, Scalar{location.index});
    append_to(bytes, location.key);
    append_to(bytes, owner);
  }
  append_to(bytes, Scalar{state.atomic_depth});
  append_to(bytes, Scalar{state.is_initialised});
  return bytes;
}

}  // namespace concord::explore

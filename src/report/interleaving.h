// A trace as text: one column per thread, time running down, what each step changed on the right.
//
// If the columns do not fit into the given width, even with the operations wrapped, the steps are listed one per line
// with the thread's name instead. Each line is indented by two and ended by a newline. With `lines` the columns have lines between
// them, drawn in Unicode.
#pragma once

#include <string>
#include <vector>

#include "base/source.h"
#include "engine/evidence.h"

namespace concord::report {

std::string interleaving(const base::SourceMap& sources, const engine::Trace& trace, int width, bool lines = false);

// "t1 waits at acquire(m), held by t2", a line for each thread.
std::vector<std::string> to_text(const std::vector<engine::StuckThread>& ending);

// "x = 1, t = none"
std::string to_text(const engine::Changes& changes);

}  // namespace concord::report

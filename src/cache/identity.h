// Which program this is: its own code, and that of every library that it runs with. What one program found out, another one,
// built from other sources or running with another solver, must find out for itself.
#pragma once

#include <filesystem>
#include <string>

namespace concord::cache {

// Changes with every change of the executable, or of a shared library that it has loaded.
std::string program_identity();
// Changes when a file is replaced: where it is, its size, its number on the disk, when it was written. Not its content.
std::string file_identity(const std::filesystem::path& path);

}  // namespace concord::cache

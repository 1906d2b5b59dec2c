#include "cache/identity.h"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>
#include <sys/stat.h>

#include <cstddef>
#include <cstring>
#include <string_view>

#include "base/sha256.h"

namespace concord::cache {

namespace {

constexpr std::string_view kVdso = "linux-vdso.so.1";  // a part of the kernel
constexpr std::size_t kNoteAlignment = 4;

std::size_t aligned(std::size_t size) { return (size + kNoteAlignment - 1) / kNoteAlignment * kNoteAlignment; }

// The hash of its content that the linker left in a loaded object, or empty.
std::string build_id(const dl_phdr_info& object) {
  for (std::size_t i = 0; i < object.dlpi_phnum; ++i) {
    const ElfW(Phdr)& segment = object.dlpi_phdr[i];
    if (segment.p_type != PT_NOTE || segment.p_align > kNoteAlignment) continue;
    const char* at = reinterpret_cast<const char*>(object.dlpi_addr + segment.p_vaddr);  // NOLINT: the loader's numbers
    const char* const end = at + segment.p_memsz;
    while (static_cast<std::size_t>(end - at) >= sizeof(ElfW(Nhdr))) {
      ElfW(Nhdr) note;
      std::memcpy(&note, at, sizeof note);
      const char* const name = at + sizeof note;
      const char* const content = name + aligned(note.n_namesz);
      at = content + aligned(note.n_descsz);
      if (at > end) break;
      if (note.n_type == NT_GNU_BUILD_ID && note.n_namesz == 4 && std::memcmp(name, "GNU", 4) == 0) {
        return {content, note.n_descsz};
      }
    }
  }
  return {};
}

}  // namespace

std::string file_identity(const std::filesystem::path& path) {
  struct stat file {};
  if (stat(path.c_str(), &file) != 0) return path.string() + " is not there";
  return fmt::format("{} {} {} {} {}.{:09} {}.{:09}", path.string(), file.st_dev, file.st_ino, file.st_size,
                     file.st_mtim.tv_sec, file.st_mtim.tv_nsec, file.st_ctim.tv_sec, file.st_ctim.tv_nsec);
}

std::string program_identity() {
  base::Sha256 hash;
  const auto add = [](dl_phdr_info* object, std::size_t, void* to) {
    const std::string_view name = object->dlpi_name;
    if (name == kVdso) return 0;
    const std::string id = build_id(*object);
    static_cast<base::Sha256*>(to)->add_part(!id.empty() ? id : file_identity(name.empty() ? "/proc/self/exe" : name));
    return 0;
  };
  dl_iterate_phdr(add, &hash);
  return hash.hex();
}

}  // namespace concord::cache

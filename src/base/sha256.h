// SHA-256 (FIPS 180-4): the name of contents, where taking one for another would be a wrong answer.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace concord::base {

class Sha256 {
 public:
  void add(std::string_view text);
  // The text with its length before it, so that "ab", "c" and "a", "bc" differ.
  void add_part(std::string_view text);
  // 64 hexadecimal digits; nothing is added afterwards.
  std::string hex();

 private:
  void compress(const unsigned char* block);

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<unsigned char, 64> block_{};
  std::size_t used_ = 0;  // bytes of block_
  std::uint64_t size_ = 0;
};

std::string sha256(std::string_view text);

}  // namespace concord::base

// What the checker says of the text of a proof.
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "replay/checker.h"

namespace concord::replay {

inline Answer replayed(const std::string& text) {
  const Proof proof = read_proof("a.proof", text);
  Answer out;
  out.malformed = proof.errors;
  engine::Control control;
  return proof.errors.empty() ? check(proof, {}, control) : out;
}

// "verified", or why not.
inline std::string said(const std::string& text) {
  const Answer answer = replayed(text);
  if (!answer.malformed.empty()) return answer.malformed;
  if (answer.findings.empty()) return std::string(engine::name(answer.verdict));
  std::string out;
  for (const Finding& it : answer.findings) out += it.what + "\n";
  return out;
}

inline std::string with(std::string text, const std::string& was, const std::string& is) {
  const std::size_t at = text.find(was);
  EXPECT_NE(at, std::string::npos) << was << " is not in\n" << text;
  return at == std::string::npos ? text : text.replace(at, was.size(), is);
}

}  // namespace concord::replay

#include "report/page.h"

#include <fmt/format.h>

#include <algorithm>

#include "report/page_data.h"
#include "report/page_parts.h"

namespace concord::report {

namespace {

// Nothing may be fetched, whatever the page is given to show.
constexpr std::string_view kPolicy =
    "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data:";

// In a script element: no text of the data ends it.
std::string as_script(std::string json) {
  constexpr std::string_view kSafe = "\\u003c";
  for (std::size_t at = 0; (at = json.find('<', at)) != std::string::npos; at += kSafe.size())
    json.replace(at, 1, kSafe);
  return json;
}

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      default: out += c;
    }
  }
  return out;
}

bool has_graphs(const check::CheckResult& result) {
  return !result.machines.empty() || !result.configurations.empty() ||
         std::any_of(result.results.begin(), result.results.end(),
                     [](const engine::PropertyResult& it) { return !it.trace.drawing.empty(); });
}

}  // namespace

std::string why_no_page() {
  return kPageScript.empty()
             ? "this build of concord cannot write pages: npm was missing, or could not get what they are made of"
             : "";
}

std::string page(const base::SourceMap& sources, const check::CheckResult& result, std::string_view version,
                 const std::vector<std::string>& arguments) {
  const std::string path = sources.file_count() == 0 ? "" : sources.file(0).path();
  const Json data = page_data(sources, result, version, arguments);
  std::string out = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"{}\">\n<title>{}: {}</title>\n<style>",
      kPolicy, engine::name(result.verdict), escaped(path));
  out += kPageStyle;
  out +=
      "</style>\n</head>\n<body>\n<noscript>This report needs JavaScript, all of which is in this file.</noscript>\n";
  out += "<script type=\"application/json\" id=\"data\">";
  out += as_script(dump(data, -1));
  out += "</script>\n";
  if (has_graphs(result)) (out += "<script>") += kGraphScript, out += "</script>\n";
  (out += "<script>") += kPageScript;
  return out + "</script>\n</body>\n</html>\n";
}

}  // namespace concord::report

#include "replay/tree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

namespace concord::replay {

namespace {

constexpr std::size_t kWidth = 120;
constexpr std::size_t kMostText = 60;

class Reader {
 public:
  Reader(std::string_view text, std::uint32_t file) : text_(text), file_(file) {}

  std::vector<Item> run() {
    std::vector<Item> out;
    for (skip(); at_ < text_.size(); skip()) out.push_back(item(0));
    return out;
  }

 private:
  base::SourceRange range(std::size_t begin, std::size_t end) const {
    return {file_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
  }
  [[noreturn]] void fail(std::size_t at, std::string what) const { throw Malformed{range(at, at), std::move(what)}; }

  void skip() {
    while (at_ < text_.size()) {
      if (text_[at_] == ';') {
        at_ = std::min(text_.find('\n', at_), text_.size());
      } else if (std::isspace(static_cast<unsigned char>(text_[at_])) != 0) {
        ++at_;
      } else {
        return;
      }
    }
  }

  Item item(int depth) {
    const std::size_t begin = at_;
    if (depth > kMostDepth) fail(at_, "this is nested too deeply");
    Item out;
    if (text_[at_] == '"') {
      out.kind = Item::Kind::kText;
      out.text = quoted();
    } else if (text_[at_] == '(') {
      ++at_;
      for (skip(); at_ < text_.size() && text_[at_] != ')'; skip()) out.items.push_back(item(depth + 1));
      if (at_ == text_.size()) fail(begin, "this parenthesis is not closed");
      ++at_;
    } else if (text_[at_] == ')') {
      fail(at_, "nothing is open that this parenthesis closes");
    } else {
      const std::size_t end = std::min(text_.find_first_of("()\"; \t\r\n", at_), text_.size());
      out.kind = Item::Kind::kWord;
      out.text = std::string(text_.substr(at_, end - at_));
      at_ = end;
    }
    out.at = range(begin, at_);
    return out;
  }

  std::string quoted() {
    const std::size_t begin = at_++;
    std::string out;
    while (at_ < text_.size() && text_[at_] != '"') {
      if (text_[at_] == '\\') ++at_;
      if (at_ < text_.size()) out += text_[at_++];
    }
    if (at_ >= text_.size()) fail(begin, "this text does not end");
    ++at_;
    return out;
  }

  const std::string_view text_;
  const std::uint32_t file_;
  std::size_t at_ = 0;
};

// Text on one line: of a longer one how it begins.
std::string shortened(const std::string& text) {
  std::string out;
  for (const char it : text.substr(0, kMostText)) {
    if (it == '"' || it == '\\') out += '\\';
    out += it == '\n' ? ' ' : it;
  }
  return "\"" + out + (text.size() > kMostText ? "…\"" : "\"");
}

class Printer {
 public:
  explicit Printer(int depth) : depth_(depth) {}

  std::string run(const std::vector<Item>& items) {
    for (const Item& it : items) print(it, 0);
    return std::move(out_);
  }

 private:
  static std::size_t lists_in(const Item& item) {
    std::size_t out = 0;
    for (const Item& it : item.items) {
      if (it.kind == Item::Kind::kList) out += 1 + lists_in(it);
    }
    return out;
  }

  static std::string flat(const Item& item) {
    if (item.kind == Item::Kind::kWord) return item.text;
    if (item.kind == Item::Kind::kText) return shortened(item.text);
    std::vector<std::string> parts;
    for (const Item& it : item.items) parts.push_back(flat(it));
    return fmt::format("({})", fmt::join(parts, " "));
  }

  void print(const Item& item, int depth) {
    const std::string indent(2 * static_cast<std::size_t>(depth), ' ');
    std::string head;
    std::size_t next = 0;
    for (; next < item.items.size() && item.items[next].kind != Item::Kind::kList; ++next) {
      head += (next == 0 ? "" : " ") + flat(item.items[next]);
    }
    if (depth_ > 0 && depth >= depth_) {
      const std::size_t below = lists_in(item);
      out_ += indent + (item.kind == Item::Kind::kList ? "(" + head : flat(item));
      if (item.kind == Item::Kind::kList) out_ += below == 0 ? ")" : fmt::format(" …{})", below);
      out_ += "\n";
      return;
    }
    if (const std::string line = flat(item); line.size() + indent.size() <= kWidth && (depth_ == 0 || depth > 0)) {
      out_ += indent + line + "\n";
      return;
    }
    out_ += indent + "(" + head + "\n";
    for (; next < item.items.size(); ++next) print(item.items[next], depth + 1);
    out_.back() = ')';
    out_ += "\n";
  }

  const int depth_;
  std::string out_;
};

}  // namespace

std::vector<Item> read_items(const base::SourceMap& sources, std::uint32_t file) {
  return Reader(sources.file(file).text(), file).run();
}

std::string print_items(const std::vector<Item>& items, int depth) { return Printer(depth).run(items); }

}  // namespace concord::replay

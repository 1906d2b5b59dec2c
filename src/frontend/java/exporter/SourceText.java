package concord.exporter;

import java.nio.charset.StandardCharsets;
import java.util.TreeMap;

/**
 * The text of one file. The compiler counts UTF-16 units of the decoded text; everything that leaves the exporter counts
 * bytes of the file as it is on disk.
 */
final class SourceText {
  /** A comment, in UTF-16 units. */
  record Comment(int begin, int end, boolean isLine) {}

  final String path;
  final int index;
  final int size; // in bytes
  final TreeMap<Integer, Comment> comments = new TreeMap<>();
  private final String text;
  private final int[] bytesBefore; // null: the text is ASCII

  SourceText(String path, int index, byte[] content) {
    this.path = path;
    this.index = index;
    this.size = content.length;
    this.text = new String(content, StandardCharsets.UTF_8);
    this.bytesBefore = text.length() == content.length ? null : offsets(text, content.length);
  }

  /** Exact for valid UTF-8; the compiler rejects anything else, and then the places of errors are approximate. */
  private static int[] offsets(String text, int size) {
    int[] before = new int[text.length() + 1];
    int bytes = 0;
    for (int i = 0; i < text.length(); ++i) {
      char c = text.charAt(i);
      before[i] = Math.min(bytes, size);
      boolean isHalf = Character.isSurrogate(c); // four bytes for two units
      bytes += c < 0x80 ? 1 : c < 0x800 || isHalf ? 2 : 3;
    }
    before[text.length()] = size;
    return before;
  }

  int toByte(long unit) {
    int at = (int) Math.max(0, Math.min(unit, text.length()));
    return bytesBefore == null ? at : bytesBefore[at];
  }

  boolean mentions(String words) {
    return text.contains(words);
  }

  /** Where the identifier at this place ends; Unicode escapes in it are counted as they are written. */
  int identifierEnd(int begin) {
    int at = begin;
    while (at < text.length() && (Character.isJavaIdentifierPart(text.charAt(at)) || text.charAt(at) == '\\')) {
      at += text.charAt(at) == '\\' ? 2 : 1;
    }
    return Math.min(at, text.length());
  }

  /** An identifier with a Unicode escape passes for any. */
  boolean isIdentifierAt(String name, int begin) {
    String here = text.substring(Math.min(begin, text.length()), identifierEnd(begin));
    return here.equals(name) || here.contains("\\");
  }

  /** The first place at or after `from`, outside comments, where the words stand; -1 if there is none. */
  int find(String words, int from) {
    for (int at = from; ; ++at) {
      at = text.indexOf(words, Math.max(at, 0));
      if (at < 0) return -1;
      var comment = comments.floorEntry(at);
      if (comment == null || comment.getValue().end() <= at) return at;
      at = comment.getValue().end() - 1;
    }
  }

  /** The same for a whole identifier. */
  int findIdentifier(String name, int from) {
    for (int at = find(name, from); at >= 0; at = find(name, at + 1)) {
      boolean startsHere = at == 0 || !Character.isJavaIdentifierPart(text.charAt(at - 1));
      if (startsHere && identifierEnd(at) == at + name.length()) return at;
    }
    return -1;
  }

  boolean isCommaBefore(int at) {
    return at > 0 && at <= text.length() && text.charAt(at - 1) == ',';
  }

  /** How many quotes open the string literal here: three for a text block. */
  int quotesAt(int begin) {
    return text.startsWith("\"\"\"", begin) ? 3 : 1;
  }
}

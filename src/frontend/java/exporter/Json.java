package concord.exporter;

import java.io.ByteArrayOutputStream;

/**
 * JSON text into memory, as UTF-8. A member that has its default value (false, -1, no child) is left out by the callers;
 * the reader on the other side knows the defaults.
 */
final class Json {
  private final ByteArrayOutputStream out = new ByteArrayOutputStream(1 << 16);
  private boolean needsComma;

  Json open(char bracket) {
    separate();
    out.write(bracket);
    needsComma = false;
    return this;
  }

  Json close(char bracket) {
    out.write(bracket);
    needsComma = true;
    return this;
  }

  Json key(String name) {
    separate();
    quote(name);
    out.write(':');
    needsComma = false;
    return this;
  }

  Json value(long number) {
    separate();
    ascii(Long.toString(number));
    needsComma = true;
    return this;
  }

  Json value(String text) {
    separate();
    quote(text);
    needsComma = true;
    return this;
  }

  Json value(boolean truth) {
    separate();
    ascii(truth ? "true" : "false");
    needsComma = true;
    return this;
  }

  Json nothing() {
    separate();
    ascii("null");
    needsComma = true;
    return this;
  }

  Json append(Json other) {
    separate();
    out.writeBytes(other.bytes());
    needsComma = true;
    return this;
  }

  byte[] bytes() {
    return out.toByteArray();
  }

  private void separate() {
    if (needsComma) out.write(',');
  }

  private void ascii(String text) {
    for (int i = 0; i < text.length(); ++i) out.write(text.charAt(i));
  }

  private void quote(String text) {
    out.write('"');
    for (int i = 0; i < text.length(); ++i) {
      char c = text.charAt(i);
      if (c == '"' || c == '\\') {
        out.write('\\');
        out.write(c);
      } else if (c < 0x20 || c == 0x7f) {
        ascii(String.format("\\u%04x", (int) c));
      } else if (c < 0x80) {
        out.write(c);
      } else {
        i += writeWide(text, i);
      }
    }
    out.write('"');
  }

  /** A character beyond ASCII; returns how many more UTF-16 units than one it took. Half a surrogate pair becomes U+FFFD. */
  private int writeWide(String text, int at) {
    int point = text.codePointAt(at);
    boolean isHalf = point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE;
    out.writeBytes(new String(Character.toChars(isHalf ? 0xfffd : point)).getBytes(java.nio.charset.StandardCharsets.UTF_8));
    return Character.charCount(point) - 1;
  }
}

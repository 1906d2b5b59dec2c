package concord.exporter;

import com.sun.tools.javac.parser.JavaTokenizer;
import com.sun.tools.javac.parser.Scanner;
import com.sun.tools.javac.parser.ScannerFactory;
import com.sun.tools.javac.parser.Tokens;
import com.sun.tools.javac.util.Context;
import com.sun.tools.javac.util.Log;
import java.nio.CharBuffer;
import java.util.Arrays;
import javax.tools.JavaFileObject;

/**
 * Comments as the compiler's own tokenizer meets them: its trees drop them, and a second lexer could disagree with the
 * first about where a string ends. Registered in a compilation's context before the compiler makes its own factory.
 */
final class Comments extends ScannerFactory {
  interface Listener {
    void comment(JavaFileObject file, int begin, int end, boolean isLine);
  }

  private final Log log;
  private final Listener listener;

  private Comments(Context context, Listener listener) {
    super(context);
    this.log = Log.instance(context);
    this.listener = listener;
  }

  static void register(Context context, Listener listener) {
    context.put(scannerFactoryKey, (Context.Factory<ScannerFactory>) c -> new Comments(c, listener));
  }

  @Override
  public Scanner newScanner(CharSequence input, boolean keepDocComments) {
    CharBuffer buffer = input instanceof CharBuffer ? (CharBuffer) input : CharBuffer.wrap(input);
    char[] units = new char[buffer.remaining()];
    buffer.duplicate().get(units);
    return newScanner(units, units.length, keepDocComments);
  }

  @Override
  public Scanner newScanner(char[] input, int length, boolean keepDocComments) {
    JavaFileObject file = log.currentSourceFile();
    // The tokenizer may write an end mark behind the text.
    return new OurScanner(this, new Tokenizer(this, Arrays.copyOf(input, length + 1), length, file));
  }

  private static final class OurScanner extends Scanner {
    OurScanner(ScannerFactory factory, JavaTokenizer tokenizer) {
      super(factory, tokenizer);
    }
  }

  private static final class Tokenizer extends JavaTokenizer {
    private final Listener listener;
    private final JavaFileObject file;

    Tokenizer(Comments factory, char[] input, int length, JavaFileObject file) {
      super(factory, input, length);
      this.listener = factory.listener;
      this.file = file;
    }

    @Override
    protected Tokens.Comment processComment(int begin, int end, Tokens.Comment.CommentStyle style) {
      // By name: later compilers have more styles.
      listener.comment(file, begin, end, style.name().contains("LINE"));
      return super.processComment(begin, end, style);
    }
  }
}

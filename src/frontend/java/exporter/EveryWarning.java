package concord.exporter;

import com.sun.tools.javac.code.Lint;
import com.sun.tools.javac.code.Symbol;
import com.sun.tools.javac.util.Context;

/**
 * Keeps warnings that `@SuppressWarnings` would hide: an unchecked conversion may break the type of a variable whether or
 * not its author wants to hear of it.
 */
final class EveryWarning extends Lint {
  private EveryWarning(Context context) {
    super(context);
  }

  static void register(Context context) {
    context.put(lintKey, (Context.Factory<Lint>) EveryWarning::new);
  }

  @Override
  public Lint augment(Symbol symbol) {
    return this;
  }
}

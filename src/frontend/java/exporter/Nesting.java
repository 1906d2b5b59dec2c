package concord.exporter;

import com.sun.tools.javac.tree.JCTree;
import com.sun.tools.javac.tree.JCTree.JCCompilationUnit;
import com.sun.tools.javac.tree.JCTree.JCParens;
import com.sun.tools.javac.tree.TreeInfo;
import com.sun.tools.javac.tree.TreeScanner;

/**
 * Refuses trees that are far too deep right after they are parsed: attributing them takes the compiler time that grows with
 * the square of the depth. The exact limit is the writer's.
 */
final class Nesting extends TreeScanner {
  private final SourceText file;
  private final int most;
  private int depth;

  private Nesting(SourceText file, int most) {
    this.file = file;
    this.most = most;
  }

  static void check(JCCompilationUnit unit, SourceText file, int mostWritten) {
    new Nesting(file, 2 * mostWritten).scan(unit);
  }

  @Override
  public void scan(JCTree tree) {
    int weight = tree == null || tree instanceof JCParens ? 0 : 1;
    depth += weight;
    if (depth > most) throw tooDeep(file, TreeInfo.getStartPos(tree), TreeInfo.getStartPos(tree) + 1, most / 2);
    super.scan(tree);
    depth -= weight;
  }

  static Failure.Thrown tooDeep(SourceText file, int begin, int end, int most) {
    return new Failure.Thrown(new Failure(file, begin, end, "nested too deeply: more than " + most + " levels"));
  }
}

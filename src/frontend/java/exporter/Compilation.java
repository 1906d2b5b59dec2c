package concord.exporter;

import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import com.sun.tools.javac.api.JavacTool;
import com.sun.tools.javac.tree.JCTree.JCCompilationUnit;
import com.sun.tools.javac.util.Context;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import javax.tools.Diagnostic;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;

/**
 * One run of the compiler: parse, enter, attribute and flow analysis (which rejects unreachable code and unassigned
 * variables, and finds which variables are effectively final). Nothing is lowered and no class file is written.
 */
final class Compilation {
  record Unchecked(SourceText file, long begin, long end) {}

  final Context context = new Context();
  final List<Failure> failures = new ArrayList<>();
  final List<Unchecked> unchecked = new ArrayList<>();
  /** The files given in their order, then those that the compiler found on the source path. */
  final Set<JCCompilationUnit> units = new LinkedHashSet<>();

  private final Sources sources;
  private final int mostNesting;
  private final StringWriter complaints = new StringWriter();
  private SourceText current; // which the compiler reads or read last

  Compilation(Sources sources, int mostNesting) {
    this.sources = sources;
    this.mostNesting = mostNesting;
  }

  void run(List<String> options, List<String> classPath, List<String> sourcePath, List<SourceText> files) throws IOException {
    Comments.register(context, (file, begin, end, isLine) -> {
      SourceText text = sources.of(file);
      if (text != null) text.comments.put(begin, new SourceText.Comment(begin, end, isLine));
    });
    EveryWarning.register(context);
    JavacTool tool = JavacTool.create();
    StandardJavaFileManager manager = tool.getStandardFileManager(this::report, Locale.ENGLISH, StandardCharsets.UTF_8);
    manager.setLocation(StandardLocation.CLASS_PATH, toFiles(classPath));
    // Without a source path the class path is searched for sources. But a module must lie on its source path, if there is one.
    boolean isModule = files.stream().anyMatch(file -> file.path.endsWith("module-info.java"));
    if (!sourcePath.isEmpty() || !isModule) manager.setLocation(StandardLocation.SOURCE_PATH, toFiles(sourcePath));
    List<String> all = new ArrayList<>(List.of("-proc:none", "-Xlint:unchecked", "-Xmaxerrs", "1000", "-Xmaxwarns", "1000000",
        "-encoding", "UTF-8", "-XDuseUnsharedTable"));
    all.addAll(options);
    List<String> paths = new ArrayList<>();
    for (SourceText file : files) paths.add(file.path);
    var objects = manager.getJavaFileObjectsFromStrings(paths);
    JavacTask task = tool.getTask(new PrintWriter(complaints), manager, this::report, all, null, objects, context);
    task.addTaskListener(new TaskListener() {
      @Override
      public void started(TaskEvent event) {
        SourceText text = sources.of(event.getSourceFile());
        if (text != null) current = text;
      }

      @Override
      public void finished(TaskEvent event) {
        if (event.getKind() == TaskEvent.Kind.ANALYZE) units.add((JCCompilationUnit) event.getCompilationUnit());
      }
    });
    analyze(task, files);
  }

  private void analyze(JavacTask task, List<SourceText> files) throws IOException {
    try {
      for (CompilationUnitTree unit : task.parse()) units.add((JCCompilationUnit) unit);
      for (JCCompilationUnit unit : units) Nesting.check(unit, sources.of(unit.sourcefile), mostNesting);
      if (failures.isEmpty()) task.analyze();
    } catch (StackOverflowError | IllegalStateException problem) {
      fail(problem.toString(), files);
    }
    // The compiler prints its own defects and resource failures instead of throwing them.
    if (failures.isEmpty() && !complaints.toString().isBlank()) fail(complaints.toString(), files);
  }

  private void fail(String problem, List<SourceText> files) {
    if (problem.contains("OutOfMemoryError")) throw new OutOfMemoryError();
    SourceText file = current != null ? current : files.get(0);
    String what = problem.contains("StackOverflowError") ? "this file is nested too deeply for the Java compiler"
        : "the Java compiler failed: " + firstLines(problem);
    failures.add(new Failure(file, 0, 0, what));
  }

  private static String firstLines(String text) {
    String[] lines = text.strip().split("\\R\\s*");
    return String.join("; ", List.of(lines).subList(0, Math.min(lines.length, 3)));
  }

  private void report(Diagnostic<? extends JavaFileObject> diagnostic) {
    SourceText file = sources.of(diagnostic.getSource());
    boolean isPlaced = file != null && diagnostic.getPosition() != Diagnostic.NOPOS;
    long begin = isPlaced ? diagnostic.getStartPosition() : 0;
    long end = isPlaced ? Math.max(diagnostic.getEndPosition(), begin) : 0;
    if (diagnostic.getKind() == Diagnostic.Kind.ERROR) {
      failures.add(new Failure(file, begin, end, oneLine(diagnostic.getMessage(Locale.ENGLISH))));
    } else if (isPlaced && isUnchecked(diagnostic.getCode())) {
      unchecked.add(new Unchecked(file, begin, end));
    }
  }

  /** Unchecked casts and assignments share a code with other mismatches; as a warning it is always an unchecked one. */
  private static boolean isUnchecked(String code) {
    return code.contains("unchecked") || code.equals("compiler.warn.prob.found.req");
  }

  private static String oneLine(String message) {
    return message.strip().replaceAll("\\s*\\R\\s*", "; ").replaceAll(":; ", ": ").replaceAll("[ \\t]+", " ");
  }

  private static List<File> toFiles(List<String> paths) {
    List<File> files = new ArrayList<>();
    for (String path : paths) files.add(new File(path));
    return files;
  }
}

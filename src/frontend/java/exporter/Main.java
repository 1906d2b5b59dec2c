package concord.exporter;

import com.sun.tools.javac.tree.JCTree;
import com.sun.tools.javac.tree.JCTree.JCClassDecl;
import com.sun.tools.javac.tree.JCTree.JCCompilationUnit;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Writes Java sources as the JDK's compiler understands them: attributed trees, symbols and types as JSON
 * (docs/java-export.md).
 *
 * <pre>
 *   java -jar concord-exporter.jar --out FILE.json [--classpath PATH] [--source-path PATH] [--stubs FOLDER]
 *                                  [--nesting N] [--watch-stdin] FILE.java…
 * </pre>
 *
 * Exit status 0: the JSON is written, with trees or with errors. 1: it is not, and stderr says why. 3: memory ran out.
 */
public final class Main {
  static final int FORMAT = 1;
  // Trees of any depth that the compiler takes are to be refused by us, at a place, and not by a crash.
  private static final long STACK_BYTES = 512L << 20;

  private String out;
  private List<String> classPath = List.of();
  private List<String> sourcePath = List.of();
  private Path stubs;
  private int mostNesting = 1000;

  private final Sources sources = new Sources();
  private final Tables tables = new Tables();
  private final Json units = new Json();
  private final List<Compilation.Unchecked> unchecked = new ArrayList<>();
  private final Set<Integer> stubFiles = new TreeSet<>();

  private Main() {}

  public static void main(String[] arguments) throws InterruptedException {
    int[] status = {1};
    Thread thread = new Thread(null, () -> status[0] = new Main().runGuarded(arguments), "export", STACK_BYTES);
    thread.start();
    thread.join();
    System.exit(status[0]);
  }

  private int runGuarded(String[] arguments) {
    try {
      List<SourceText> files = parse(arguments);
      List<Failure> failures;
      try {
        failures = export(files);
      } catch (Failure.Thrown thrown) {
        failures = List.of(thrown.failure);
      }
      Files.write(Path.of(out), document(failures).bytes());
      return 0;
    } catch (IOException | IllegalArgumentException problem) {
      System.err.println(problem);
    } catch (OutOfMemoryError problem) {
      return 3;
    } catch (RuntimeException | Error defect) {
      defect.printStackTrace();
    }
    return 1;
  }

  private List<SourceText> parse(String[] arguments) throws IOException {
    List<SourceText> files = new ArrayList<>();
    for (int i = 0; i < arguments.length; ++i) {
      String argument = arguments[i];
      if (!argument.startsWith("--")) {
        files.add(sources.add(argument));
        continue;
      }
      if (argument.equals("--watch-stdin")) {
        endWithStdin();
        continue;
      }
      if (++i == arguments.length) throw new IllegalArgumentException(argument + " needs a value");
      String value = arguments[i];
      switch (argument) {
        case "--out" -> out = value;
        case "--classpath" -> classPath = split(value);
        case "--source-path" -> sourcePath = split(value);
        case "--stubs" -> stubs = Path.of(value);
        case "--nesting" -> mostNesting = Integer.parseInt(value);
        default -> throw new IllegalArgumentException("unknown option " + argument);
      }
    }
    if (out == null || files.isEmpty()) throw new IllegalArgumentException("usage: --out FILE.json [OPTION…] FILE.java…");
    return files;
  }

  /** Whoever started us keeps our standard input open as long as it lives. */
  private static void endWithStdin() {
    Thread watcher = new Thread(() -> {
      try {
        while (System.in.read() >= 0) {}
      } catch (IOException gone) {
        // The same as its end.
      }
      Runtime.getRuntime().halt(1);
    }, "stdin");
    watcher.setDaemon(true);
    watcher.start();
  }

  private static List<String> split(String path) {
    List<String> parts = new ArrayList<>();
    for (String part : path.split(File.pathSeparator)) {
      if (!part.isEmpty()) parts.add(part);
    }
    return parts;
  }

  // ----------------------------------------------------------------------------------------------------------- export

  private List<Failure> export(List<SourceText> files) throws IOException {
    Set<SourceText> own = new LinkedHashSet<>(files);
    List<SourceText> all = new ArrayList<>(own);
    // Only if they are mentioned: the package is ours, but a program may have one of the same name.
    if (stubs != null && files.stream().anyMatch(file -> file.mentions("concord."))) all.addAll(annotationsOfOurs());
    Compilation program = new Compilation(sources, mostNesting);
    program.run(List.of("-implicit:none"), classPath, sourcePath, all);
    if (!program.failures.isEmpty()) return program.failures;
    Export export = new Export(program);
    for (JCCompilationUnit unit : program.units) {
      if (!isStub(sources.of(unit.sourcefile))) export.write(unit);
    }
    export.writeReferenced();
    return stubs == null ? List.of() : exportStubs();
  }

  private List<SourceText> annotationsOfOurs() throws IOException {
    List<SourceText> found = new ArrayList<>();
    Path folder = stubs.resolve("concord");
    if (!Files.isDirectory(folder)) return found;
    try (var list = Files.newDirectoryStream(folder, "*.java")) {
      TreeSet<String> names = new TreeSet<>();
      list.forEach(path -> names.add(path.toString()));
      for (String name : names) found.add(sources.add(name));
    }
    return found;
  }

  private boolean isStub(SourceText file) {
    return stubs != null && file != null && Path.of(file.path).toAbsolutePath().normalize().startsWith(stubs.toAbsolutePath().normalize());
  }

  /** Stubs replace classes of the JDK, so they are compiled as a part of it, and see each other. */
  private List<Failure> exportStubs() throws IOException {
    Set<SourceText> wanted = new LinkedHashSet<>();
    for (Tables.SymbolRecord symbol : List.copyOf(tables.symbols)) {
      if (!symbol.kind.equals("Class") || symbol.isFromSource || symbol.top.isEmpty()) continue;
      Path path = stubs.resolve(symbol.top.replace('.', '/') + ".java");
      if (Files.isRegularFile(path)) wanted.add(sources.add(path.toString()));
    }
    if (wanted.isEmpty()) return List.of();
    Compilation library = new Compilation(sources, mostNesting);
    library.run(List.of("-implicit:none", "-Xprefer:source", "--patch-module", "java.base=" + stubs), List.of(), List.of(),
        new ArrayList<>(wanted));
    if (!library.failures.isEmpty()) return library.failures;
    new Export(library).writeReferenced();
    return List.of();
  }

  /** The units of one compilation, written in the order in which they are found to be needed. */
  private final class Export {
    private final Compilation compilation;
    private final Symbols symbols;
    private final Set<JCCompilationUnit> unwritten;

    Export(Compilation compilation) {
      this.compilation = compilation;
      this.symbols = new Symbols(compilation.context, tables);
      this.unwritten = new LinkedHashSet<>(compilation.units);
    }

    void write(JCCompilationUnit unit) {
      unwritten.remove(unit);
      SourceText file = sources.of(unit.sourcefile);
      for (JCTree each : unit.defs) {
        if (each instanceof JCClassDecl) symbols.addSource(((JCClassDecl) each).sym);
      }
      new TreeWriter(units, symbols, file, unit, compilation.context, mostNesting).unit();
      for (Compilation.Unchecked each : compilation.unchecked) {
        if (each.file() == file) unchecked.add(each);
      }
      if (isStub(file)) stubFiles.add(file.index);
    }

    /** Writes what others refer to and nobody wrote yet, until there is nothing more. */
    void writeReferenced() {
      symbols.describeAll();
      for (boolean changed = true; changed; ) {
        changed = false;
        for (JCCompilationUnit unit : List.copyOf(unwritten)) {
          if (!isReferenced(unit)) continue;
          write(unit);
          symbols.describeAll();
          changed = true;
        }
      }
    }

    private boolean isReferenced(JCCompilationUnit unit) {
      for (JCTree each : unit.defs) {
        if (!(each instanceof JCClassDecl)) continue;
        Tables.SymbolRecord record = tables.known("class " + ((JCClassDecl) each).sym.flatName());
        if (record != null && !record.isFromSource) return true;
      }
      return false;
    }
  }

  // --------------------------------------------------------------------------------------------------------- document

  private Json document(List<Failure> failures) {
    Json json = new Json().open('{').key("format").value(FORMAT).key("files").open('[');
    for (SourceText file : sources.files) {
      json.open('{').key("path").value(file.path).key("size").value(file.size).close('}');
    }
    json.close(']').key("errors").open('[');
    for (Failure failure : failures) {
      json.open('{');
      if (failure.file() != null) {
        json.key("at").open('[').value(failure.file().index).value(failure.file().toByte(failure.begin()));
        json.value(failure.file().toByte(failure.end())).close(']');
      }
      json.key("message").value(failure.message()).close('}');
    }
    json.close(']');
    if (!failures.isEmpty()) return json.close('}');
    tables.write(json);
    json.key("units").open('[');
    if (units.bytes().length > 0) json.append(units);
    json.close(']').key("unchecked").open('[');
    for (Compilation.Unchecked each : unchecked) {
      json.open('[').value(each.file().index).value(each.file().toByte(each.begin()));
      json.value(each.file().toByte(each.end())).close(']');
    }
    json.close(']').key("stub_files").open('[');
    for (int each : stubFiles) json.value(each);
    return json.close(']').close('}');
  }
}

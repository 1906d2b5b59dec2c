package concord.exporter;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import javax.tools.JavaFileObject;

/** All files of a run, numbered: first those given, in their order, then what the compiler found by itself, then stubs. */
final class Sources {
  final List<SourceText> files = new ArrayList<>();
  private final Map<Path, SourceText> byPath = new HashMap<>();

  SourceText add(String name) throws IOException {
    Path path = Path.of(name).toAbsolutePath().normalize();
    SourceText known = byPath.get(path);
    if (known != null) return known;
    SourceText file = new SourceText(name, files.size(), Files.readAllBytes(path));
    files.add(file);
    byPath.put(path, file);
    return file;
  }

  /** The file that the compiler reads; null if it is none on disk. */
  SourceText of(JavaFileObject file) {
    if (file == null || !"file".equals(file.toUri().getScheme())) return null;
    SourceText known = byPath.get(Path.of(file.toUri()).toAbsolutePath().normalize());
    if (known != null) return known;
    try {
      return file.getKind() == JavaFileObject.Kind.SOURCE ? add(file.getName()) : null;
    } catch (IOException unreadable) {
      return null;
    }
  }
}

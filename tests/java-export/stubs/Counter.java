import concord.Concord;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

class Counter {
  final AtomicInteger count = new AtomicInteger();

  @SuppressWarnings("unchecked")
  int step(Object names) {
    Concord.assume(((List<String>) names).size() > 0);
    List raw = new ArrayList();
    raw.add("x");
    return count.incrementAndGet();
  }
}

import java.util.concurrent.atomic.AtomicStampedReference;

class Program {
  public static void main(String[] args) {
    Object a = new Object(), b = new Object();
    AtomicStampedReference<Object> top = new AtomicStampedReference<>(a, 0);
    assert top.weakCompareAndSet(a, b, 0, 1); // may fail for no reason
  }
}

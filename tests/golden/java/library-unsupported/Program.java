import java.util.*;
class Program {
  static double d = 1.5;
  static List<String> list = new ArrayList<>();
  enum E { A { int v() { return 1; } }, B; int v() { return 2; } static E pick(int i) { return values()[i]; } }
  public static void main(String[] args) {
    assert E.pick(0).v() == 1 && E.pick(1).v() == 2;
    E e = E.B;
    int r = switch (e) { case A -> 1; case B -> 2; };
    assert r == 2;
    double x = d * 2;
    if (x > 2) r++;
    for (String s : list) r++;
    list.forEach(s -> System.out.println(s));
    String t = "a".concat("b");
    switch (t) { case "x": r = 0; break; default: r = 5; }
    int[] c = new int[] {1}.clone();
    Object o = c;
    int[] back = (int[]) o;
    Class<?> k = Program.class;
    float f = 1f; f++;
    char ch = t.charAt(0);
    long ms = System.currentTimeMillis();
    int h = Math.max(1, 2);
    Integer boxed = Integer.valueOf(3);
    int parsed = Integer.parseInt("3");
    Thread.yield();
    Optional<String> op = Optional.of("a");
    assert args != null;
    Iterator<String> it = new Iterator<>() { public boolean hasNext() { return false; } public String next() { return null; } };
    while (it.hasNext()) it.next();
  }
}

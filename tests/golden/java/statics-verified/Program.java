class Program {
  static int x = Helper.y + 1;
  static final Program ONE = new Program(Level.HIGH);
  static int[] table;
  static int early = late();
  static int late = 5;
  static {
    table = new int[3];
    for (int i = 0; i < 3; i++) table[i] = i * Helper.y;
  }
  static int late() {
    return late * 10 + 1;
  }
  final Level level;
  Program(Level l) {
    level = l;
  }
  enum Level { LOW, HIGH }
  static class Holder {
    static int next = 1;
    static int take() {
      return next++;
    }
  }
  static class Parent {
    static int p = Holder.take();
  }
  static class Child extends Parent {
    static int c = p + 10;
  }
  public static void main(String[] args) {
    assert x == 31 && Helper.y == 30;
    assert ONE.level == Level.HIGH;
    assert table[2] == 60;
    assert early == 1 && late == 5;
    assert Child.c == 11 && Parent.p == 1 && Child.p == 1;
    assert Holder.take() == 2;
  }
}
class Helper {
  static int y = compute();
  static int compute() {
    return Deep.z * 3;
  }
}
class Deep {
  static int z;
  static {
    z = 10;
  }
}

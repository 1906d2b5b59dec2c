// The constructor of the library's class calls a method of the program.
public class Program {
  static int n;

  static class Seeded extends java.util.Random {
    Seeded() {
      super(5);
    }

    @Override
    public void setSeed(long seed) {
      n = 1;
    }
  }

  public static void main(String[] args) {
    new Seeded();
    assert n == 0;
  }
}

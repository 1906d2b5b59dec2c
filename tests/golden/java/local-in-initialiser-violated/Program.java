// A class of an initialiser block is a local one: it knows the variables around it, and so does what extends it.
class Program {
  private int value;

  {
    int start = 3;
    class Local {
      void fill() {
        value = start;
      }
    }
    class Below extends Local {}
    new Below().fill();
  }

  private static final int TOTAL;

  static {
    int one = 1;
    class Local {
      int get(int more) {
        return one + more;
      }
    }
    class Below extends Local {}
    TOTAL = new Below().get(one);
  }

  public static void main(String[] arguments) {
    assert TOTAL == 2;
    assert new Program().value == 4;
  }
}

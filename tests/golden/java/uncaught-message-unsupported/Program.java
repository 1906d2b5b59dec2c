// Whatever prints an exception that nobody catches asks it for its message.
class Program {
  static int count;

  static class Refused extends RuntimeException {
    public String getMessage() {
      assert count != 2;
      return "refused";
    }
  }

  public static void main(String[] arguments) {
    try {
      throw new Refused();
    } finally {
      count = 2;
    }
  }
}

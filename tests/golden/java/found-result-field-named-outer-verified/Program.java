// `outer` is the field of that name, not the instance around.
class Program {
  class I {
    Program outer = null;

    I() {}
  }

  //@ ensures \result.outer == null;
  I make() {
    return new I();
  }

  public static void main(String[] arguments) {
    Program p = new Program();
    I i = p.make();
    assert i.outer == null;
  }
}

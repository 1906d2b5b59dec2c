// A class in a body, or nothing at all, may have a waiver.
class Program {
  public static void main(String[] arguments) {
    //@ nowarn assertion "all of the class"
    class Local {
      int f(int k) {
        assert k == 1;
        return k;
      }
    }
    //@ nowarn race "nothing"
    ;
    int k = new Local().f(2);
    assert k == 2;
  }
}

// The monitor of a class is known in clauses also if nothing locks it.
public class Program {
  //@ unwritable_by_env_if \holds(Program.class);
  static int x;

  public static void main(String[] args) {
    x = 1;
    assert x == 1;
  }
}

// A client that knows the object by a type without a contract need not keep to that of the class.
public class Program {
  public static class Base { public void m(int x) { } }
  public static class Sub extends Base { /*@ requires x > 5; */ public void m(int x) { assert x > 5; } }
}

class Program {
  enum Planet {
    A(3), B(4) {
      @Override
      int twice() {
        return -1;
      }
    };
    final int mass;
    static int made;
    Planet(int m) {
      mass = m;
    }
    int twice() {
      return mass * 2;
    }
  }
  enum Plain { X, Y, Z }
  static Plain current = Plain.Y;
  Plain field;
  public static void main(String[] args) {
    assert Planet.A.mass == 3 && Planet.B.mass == 4;
    assert Planet.A.twice() == 6 && Planet.B.twice() == -1;
    assert current == Plain.Y && current != Plain.X;
    Program p = new Program();
    assert p.field == null;
    p.field = Plain.Z;
    assert p.field == Plain.Z;
    assert Plain.values().length == 3;
    int n = 0;
    for (Plain x : Plain.values()) if (x == Plain.Y) n++;
    assert n == 1 && Plain.values()[2] == Plain.Z;
    assert Plain.values() != Plain.values();
    assert Plain.X.ordinal() == 0 && p.field.ordinal() == 2;
    Object o = Plain.X;
    assert o instanceof Plain && !(o instanceof Planet);
  }
}

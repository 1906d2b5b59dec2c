class Program {
  static class Animal {
    int legs = 4;
    String name = "animal";
    static int kind() {
      return 1;
    }
    int sound() {
      return 1;
    }
    int twice() {
      return sound() * 2;
    }
    private int secret() {
      return 5;
    }
    int callSecret() {
      return secret();
    }
  }
  static class Dog extends Animal {
    int legs = 3;
    int sound() {
      return super.sound() + 10;
    }
    static int kind() {
      return 2;
    }
    private int secret() {
      return 6;
    }
  }
  static class Puppy extends Dog {
    int sound() {
      return super.sound() + 100;
    }
    int twice() {
      return super.twice() + 1;
    }
    int over(Object o) {
      return 1;
    }
    int over(Animal a) {
      return 2;
    }
    int over(Dog d) {
      return 3;
    }
  }
  public static void main(String[] args) {
    Animal a = new Dog();
    assert a.sound() == 11 && a.twice() == 22;
    assert a.legs == 4 && ((Dog) a).legs == 3;
    a = new Puppy();
    assert a.sound() == 111 && a.twice() == 223;
    assert a.callSecret() == 5;
    assert Animal.kind() == 1 && Dog.kind() == 2;
    a = new Animal();
    assert a.sound() == 1 && a.twice() == 2;
    Puppy p = new Puppy();
    assert p.over(p) == 3 && p.over((Animal) p) == 2 && p.over("x") == 1;
    Animal[] all = {new Animal(), new Dog(), new Puppy()};
    int s = 0;
    for (Animal it : all) s = s * 1000 + it.sound();
    assert s == 1011111;
  }
}

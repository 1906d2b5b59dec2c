interface Shape {
  int area();
}

class Square implements Shape {
  public int area() {
    return 4;
  }
}

class Program {
  //@ requires !(o instanceof Shape);
  static void f(Object o) {}

  public static void main(String[] arguments) {
    Shape square = new Square();
    Shape made = () -> 1;
    f(made);
    f(square);
  }
}

class Rejected extends Missing {
  int f(int é) {
    String s = é;
    while (true) {}
    return undefined(s);
  }
}

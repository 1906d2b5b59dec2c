import concord.Concord;

class Program {
  static class Node {}
  static Node shared = new Node();

  public static void main(String[] args) {
    Node mine = shared;
    Node yours = shared;
    Concord.free(mine);
    Concord.free(yours);
  }
}

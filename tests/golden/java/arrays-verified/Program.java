class Program {
  static int[] shared = {4, 5, 6};
  static class Node {
    int v;
    Node(int v) {
      this.v = v;
    }
  }
  public static void main(String[] args) {
    int[] a = new int[3];
    assert a.length == 3 && a[0] == 0 && a[2] == 0;
    boolean[] flags = new boolean[2];
    assert !flags[1];
    Node[] nodes = new Node[2];
    assert nodes[0] == null;
    nodes[1] = new Node(7);
    assert nodes[1].v == 7;
    nodes[1].v++;
    assert nodes[1].v == 8;
    int[][] grid = new int[2][3];
    grid[1][2] = 5;
    assert grid.length == 2 && grid[0].length == 3 && grid[1][2] == 5 && grid[0][2] == 0;
    assert grid[0] != grid[1];
    int[][] jagged = {{1}, {2, 3}, {}};
    assert jagged[1][1] == 3 && jagged[2].length == 0;
    int[][] partial = new int[2][];
    assert partial[0] == null;
    partial[0] = a;
    partial[0][1] = 9;
    assert a[1] == 9;
    int[][][] deep = new int[2][2][];
    assert deep[1][1] == null && deep[0] != null;
    long[][][] cube = new long[1][2][2];
    cube[0][1][1] = 1L << 33;
    assert cube[0][1][1] == 8589934592L && cube[0][0].length == 2;
    assert shared[2] == 6;
    shared[0] += shared[1];
    assert shared[0] == 9;
    int[] alias = shared;
    alias[1] = 0;
    assert shared[1] == 0 && alias == shared;
    char[] cs = {'a', 98, 'c'};
    assert cs[1] == 'b';
    byte i = 1;
    assert a[i] == 9;
    char ci = 2;
    a[ci] = 3;
    assert a[2] == 3;
    Integer boxed = 1;
    assert a[boxed] == 9;
    a[boxed]++;
    assert a[1] == 10;
    String[] names = {"x", null};
    assert names[0] == "x" && names[1] == null;
    int[] empty = {};
    assert empty.length == 0;
    int n = 2;
    int[] sized = new int[n++ + n];
    assert sized.length == 5;
  }
}

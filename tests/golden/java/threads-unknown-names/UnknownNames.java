class UnknownNames {
  static int sum;
  static int m;
  //@ ghost int last;

  /*@ threads n;
    @ initially nn > 0;
    @ finally sum == (\sum int k; 0 <= k && k < n; amounts[k]);
    @ finally sum == \index;
    @ finally amount == n;
    @ finally given[0] == 0; */
  static void pay(int amount, int given) {
    sum += amount;
  }

  //@ threads m;
  static void get(int given) {
    sum -= given;
  }
}

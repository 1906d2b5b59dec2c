public class First {
  public boolean isFirst(Object[] all) {
    if (all == null || all.length == 0) {
      return false;
    }
    Object first = all[0];
    assert first == null;
    return true;
  }
}

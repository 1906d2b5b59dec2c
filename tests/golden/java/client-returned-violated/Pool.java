public class Pool {
  public static final class Item {
    //@ guarded_by this;
    private int count;

    private Item() {}

    public void use() {
      count++;
    }
  }

  public Item item() {
    return new Item();
  }
}

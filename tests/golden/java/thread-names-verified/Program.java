class Program {
  public static void main(String[] args) throws InterruptedException {
    Thread named = new Thread(() -> {}, "worker");
    assert named.getName() == "worker";
    Thread other = new Thread();
    String given = other.getName();
    assert given == other.getName() && given != named.getName();
    other.setName("other");
    assert other.getName() == "other";
    named.setDaemon(true);
    named.start();
    named.join();
    named.setDaemon(false); // it has ended
  }
}

import java.util.concurrent.CountDownLatch;

class Program {
  static int data;

  public static void main(String[] args) throws InterruptedException {
    CountDownLatch latch = new CountDownLatch(2);
    for (int i = 0; i < 0; i++) {
      new Thread(latch::countDown).start();
    }
    new Thread(() -> {
      data = 1;
      latch.countDown();
    }).start();
    latch.await();
    assert data == 1;
  }
}

public class Bell {
  public interface Listener {
    void rings();
  }

  public void ring(Listener listener) {
    if (listener != null) {
      listener.rings();
    }
  }
}

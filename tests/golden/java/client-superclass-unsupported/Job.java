public class Job extends java.util.TimerTask {
  @Override
  public void run() {}
}

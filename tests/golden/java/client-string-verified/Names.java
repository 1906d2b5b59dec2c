public class Names {
  public int length(Object name) {
    if (name instanceof String) {
      return 0;
    }
    assert !(name instanceof String);
    return 1;
  }
}

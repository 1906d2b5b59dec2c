package concord.exporter;

/** A mistake in the program that is read, or something in it that is beyond us: told at a place, in UTF-16 units. */
record Failure(SourceText file, long begin, long end, String message) {
  /** Thrown where going on makes no sense. */
  static final class Thrown extends RuntimeException {
    final transient Failure failure;

    Thrown(Failure failure) {
      super(failure.message(), null, false, false);
      this.failure = failure;
    }
  }
}

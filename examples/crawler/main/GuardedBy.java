/** The field is accessed only by threads that hold the lock. */
@interface GuardedBy {
    String value();
}

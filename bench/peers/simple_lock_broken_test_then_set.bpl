// BROKEN as examples/simple-lock/simple_lock_broken_test_then_set.plato: acquire looks at the lock and takes it in two steps,
// and three assertions fail. simple_lock.bpl explains how this text corresponds to the Plato program.

type Tid;
const unique none: Tid;
const unique tid: Tid;
const other: Tid;
axiom other != none && other != tid;

var m: Tid;                                    // the lock: its holder, or none
var x: int;

// ---------------------------------------------------------------------------------------------------------- module Mutex
// env_assumption m == tid ==> m' == m;

procedure others_of_mutex();
  modifies m;
  ensures old(m) == tid ==> m == old(m);

procedure others_of_mutex_stutter() {
  assert m == tid ==> m == m;
}

procedure others_of_mutex_compose() modifies m; {
  var m0: Tid;
  m0 := m;
  call others_of_mutex();
  call others_of_mutex();
  assert m0 == tid ==> m == m0;
}

procedure acquire() modifies m; {              // action also modifies m ensures m == none && m' == tid;
  var t, m0: Tid;
  var f1, f2: bool;
  f1, f2 := true, false;
  t := tid;
  call others_of_mutex();
  while (m != none)                            // while (m != none) skip;
    invariant f1;
  {
    call others_of_mutex();
  }
  call others_of_mutex();                      // m = t;
  m0 := m;
  m := t;                                      // BROKEN: somebody else may have taken it
  assert m0 == other ==> m == m0;              // [rely] fails
  f1, f2 := f1 && m == m0, (f2 && m == m0) || (f1 && m0 == none && m == tid);
  assert f1 || f2;                             // [abstraction step] fails
  call others_of_mutex();
  assert f2;                                   // [abstraction step] at return, fails
}

procedure release() modifies m;                // action also modifies m ensures m' == none;
  requires m == tid;
{
  var m0: Tid;
  var f1, f2: bool;
  f1, f2 := true, false;
  call others_of_mutex();                      // m = none;
  m0 := m;
  m := none;
  assert m0 == other ==> m == m0;              // [rely]
  f1, f2 := f1 && m == m0, (f2 && m == m0) || (f1 && m == none);
  assert f1 || f2;                             // [abstraction step]
  call others_of_mutex();
  assert f2;                                   // [abstraction step] at return
}

// ------------------------------------------------------------------------------------------------------------ module Top
// global_invariant m == none ==> x >= 0;
// env_assumption m == tid ==> x' == x;

procedure others();                            // of Top, which uses Mutex: both assumptions, so those of Mutex are implied
  modifies m, x;
  ensures old(m) == tid ==> m == old(m);
  ensures old(m) == tid ==> x == old(x);
  ensures m == none ==> x >= 0;

procedure others_stutter() {
  assert m == tid ==> x == x;
}

procedure others_compose() modifies m, x;
  requires m == none ==> x >= 0;
{
  var m0: Tid;
  var x0: int;
  m0, x0 := m, x;
  call others();
  call others();
  assert m0 == tid ==> m == m0;
  assert m0 == tid ==> x == x0;
}

procedure initially() modifies m, x; {
  m, x := none, 0;
  assert m == none ==> x >= 0;                 // [invariant]
}

procedure t1() modifies m, x;
  requires m == none ==> x >= 0;
{
  var m0: Tid;
  var x0: int;

  call others();                               // acquire();
  m0 := m;
  assume m == none;
  m := tid;
  assert m0 == other ==> m == m0;              // [rely]
  assert m == none ==> x >= 0;                 // [invariant]

  call others();                               // x = x + 1;
  x0 := x;
  x := x + 1;
  assert m == other ==> x == x0;               // [rely]
  assert m == none ==> x >= 0;                 // [invariant]

  call others();
  assert x > 0;                                // assert x > 0;

  call others();                               // release();
  assert m == tid;                             // [precondition]
  m0 := m;
  m := none;
  assert m0 == other ==> m == m0;              // [rely]
  assert m == none ==> x >= 0;                 // [invariant]
}

procedure t2() modifies m, x;
  requires m == none ==> x >= 0;
{
  var m0: Tid;
  var x0: int;

  call others();                               // acquire();
  m0 := m;
  assume m == none;
  m := tid;
  assert m0 == other ==> m == m0;              // [rely]
  assert m == none ==> x >= 0;                 // [invariant]

  call others();                               // x = 0;
  x0 := x;
  x := 0;
  assert m == other ==> x == x0;               // [rely]
  assert m == none ==> x >= 0;                 // [invariant]

  call others();                               // release();
  assert m == tid;                             // [precondition]
  m0 := m;
  m := none;
  assert m0 == other ==> m == m0;              // [rely]
  assert m == none ==> x >= 0;                 // [invariant]
}

class Program {
    interface Up {
        //@ ensures \result > 0;
        int step();
    }

    interface Down {
        //@ ensures \result < 0;
        int step();
    }

    static class Both implements Up, Down {
        public int step() {
            return 1;
        }
    }

    //@ ensures \result == 1;
    static native int outside();

    public static void main(String[] args) {
        Up up = new Both();
        assert up.step() > 0;
        assert new Both().step() > 0;
    }
}

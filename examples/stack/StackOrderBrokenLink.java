/** The new node is on top before it is linked: it is followed by itself. */
public class StackOrderBrokenLink {
    static class Node {
        private Node next;
    }

    static class Stack {
        private Node top;

        //@ global_invariant \list(top, next);

        synchronized void push() {
            link(new Node());
        }

        /** Null if the stack is empty. */
        synchronized Node pop() {
            return unlink();
        }

        //@ requires \acyclic(top, next);
        //@ ensures top == node && \reach(top, next, node);
        private void link(Node node) {
            top = node;
            node.next = top; // BROKEN: the other way round
        }

        //@ ensures \result != null ==> !\reach(top, next, \result);
        private Node unlink() {
            Node node = top;
            if (node != null) {
                top = node.next;
            }
            return node;
        }
    }

    static class Client extends Thread {
        private final Stack stack;

        Client(Stack stack) {
            this.stack = stack;
        }

        @Override
        public void run() {
            stack.push();
            stack.pop();
        }
    }

    public static void main(String[] args) {
        Stack stack = new Stack();
        for (;;) {
            new Client(stack).start();
        }
    }
}

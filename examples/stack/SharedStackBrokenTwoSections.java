/** `pop` looks at the top in one critical section and takes it away in another: two threads may get the same item. */
public class SharedStackBrokenTwoSections {
    static class Item {
        Client owner;
    }

    static class Node {
        final Item item;
        Node next;

        Node(Item item) {
            this.item = item;
        }
    }

    static class Stack {
        private Node top;

        synchronized void push(Item item) {
            Node node = new Node(item);
            node.next = top;
            top = node;
        }

        /** Null if the stack is empty. */
        Item pop() {
            Node node;
            synchronized (this) {
                node = top;
            }
            if (node == null) {
                return null;
            }
            synchronized (this) {
                top = node.next;
            }
            return node.item;
        }
    }

    static class Client extends Thread {
        private final Stack stack;

        Client(Stack stack) {
            this.stack = stack;
        }

        @Override
        public void run() {
            stack.push(new Item());
            Item item = stack.pop();
            if (item != null) {
                item.owner = this; // nobody else has this item now
            }
        }
    }

    public static void main(String[] args) {
        Stack stack = new Stack();
        for (;;) {
            new Client(stack).start();
        }
    }
}

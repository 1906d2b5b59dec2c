class Program { public static void main(String[] a){ int n=-1; int[][] x=new int[0][n]; } }

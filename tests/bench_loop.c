/*
 * The plain loop that sweeps are held against: four axes of the same length, a total of four
 * products, the ten least totals kept. Prints points a second of processor time: bench_loop LENGTH
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { AXES = 4, TOP = 10 };

static double top[TOP]; /* least first */

static void keep(double total) {
    int at = TOP - 1;
    for (; at > 0 && top[at - 1] > total; at--)
        top[at] = top[at - 1];
    top[at] = total;
}

static void price(const double *costs, int length, const double counts[AXES]) {
    for (int a = 0; a < length; a++)
        for (int b = 0; b < length; b++)
            for (int c = 0; c < length; c++) {
                double rest = costs[a] * counts[0] + costs[b] * counts[1] + costs[c] * counts[2];
                for (int d = 0; d < length; d++) {
                    double total = rest + costs[d] * counts[3];
                    if (total < top[TOP - 1])
                        keep(total);
                }
            }
}

int main(int argc, char **argv) {
    int length = argc > 1 ? atoi(argv[1]) : 100;
    const double counts[AXES] = {4.1e9, 3.9e9, 2.2e8, 6.5e8};
    double *costs = malloc((size_t)length * sizeof *costs);
    if (!costs)
        return 1;
    for (int i = 0; i < length; i++)
        costs[i] = 0.1 * (length - i); /* each strip ends lower than it began */
    for (int i = 0; i < TOP; i++)
        top[i] = 1e300;
    clock_t start = clock();
    price(costs, length, counts);
    double seconds = (double)(clock() - start) / CLOCKS_PER_SEC;
    printf("%.0f\n", (double)length * length * length * length / seconds);
    free(costs);
    return top[0] < top[TOP - 1] ? 0 : 1;
}

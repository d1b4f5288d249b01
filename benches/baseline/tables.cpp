// The program a contestant writes for a table of Grundy values: the definition of mex, marks in a stamp array.
// It is the yardstick of benches/versus, not a part of the workbench. Build: g++ -O2 -o tables tables.cpp
//
//   tables octal DIGITS N    the digits after the point, `tables octal 77 N` is Kayles
//   tables unequal N         split into two unequal heaps (Grundy's game)
//   tables subtract N SET..  tables allbut N SET..
//   tables third N           options ceil(x/3)..x-1
//   tables turtles N         turn up to three coins;  tables beans N  split into two smaller heaps
//   tables ruler N           turn a run of coins, places from 1
//
// Prints `N=<n> hash=<hex> last=<g(n)>` as `grundy table --format digest` does.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <unordered_set>
#include <vector>

typedef std::vector<int> Table;

struct Marks {
    std::vector<int> stamp;
    int now = 0;
    explicit Marks(size_t size) : stamp(size, 0) {}
    void fresh() { ++now; }
    void mark(int value) { stamp[value] = now; }
    int mex() const {
        int value = 0;
        while (stamp[value] == now) ++value;
        return value;
    }
};

int main(int argc, char **argv) {
    if (argc < 3) {
        fprintf(stderr, "usage: tables WHAT [DIGITS] N [SET..]\n");
        return 2;
    }
    const std::string what = argv[1];
    const bool octal = what == "octal";
    const std::string digits = octal ? argv[2] : "";
    const int at = octal ? 3 : 2;
    const int n_max = argc > at ? atoi(argv[at]) : 0;
    std::unordered_set<int> banned;
    std::vector<int> takes;
    for (int i = at + 1; i < argc; ++i) {
        takes.push_back(atoi(argv[i]));
        banned.insert(atoi(argv[i]));
    }
    if (n_max <= 0) {
        fprintf(stderr, "N must be positive\n");
        return 2;
    }
    Table g(n_max + 1, 0);
    // Values of octal games stay small; coin games reach 4N; the others at most N.
    Marks marks(octal || what == "unequal" ? 1 << 16 : 8 * size_t(n_max) + 64);
    for (int n = 0; n <= n_max; ++n) {
        marks.fresh();
        if (octal) {
            for (int taken = 1; taken <= int(digits.size()) && taken <= n; ++taken) {
                const int digit = digits[taken - 1] - '0', rest = n - taken;
                if ((digit & 1) && rest == 0) marks.mark(0);
                if ((digit & 2) && rest > 0) marks.mark(g[rest]);
                if (digit & 4)
                    for (int a = 1; 2 * a <= rest; ++a) marks.mark(g[a] ^ g[rest - a]);
            }
        } else if (what == "unequal") {
            for (int a = 1; 2 * a < n; ++a) marks.mark(g[a] ^ g[n - a]);
        } else if (what == "subtract") {
            for (int t : takes)
                if (t <= n) marks.mark(g[n - t]);
        } else if (what == "allbut") {
            for (int t = 1; t <= n; ++t)
                if (!banned.count(t)) marks.mark(g[n - t]);
        } else if (what == "third") {
            for (int y = (n + 2) / 3; y < n; ++y) marks.mark(g[y]);
        } else if (what == "turtles") {
            marks.mark(0);
            for (int a = 0; a < n; ++a) {
                marks.mark(g[a]);
                for (int b = 0; b < a; ++b) marks.mark(g[a] ^ g[b]);
            }
        } else if (what == "beans") {
            for (int a = 0; a < n; ++a)
                for (int b = 0; b <= a; ++b) marks.mark(g[a] ^ g[b]);
        } else if (what == "ruler") {
            if (n > 0) {
                int sum = 0;
                marks.mark(0);
                for (int a = n - 1; a >= 1; --a) marks.mark(sum ^= g[a]);
            }
        } else {
            fprintf(stderr, "unknown game %s\n", what.c_str());
            return 2;
        }
        g[n] = marks.mex();
    }
    uint64_t hash = 0;
    for (int value : g) hash = hash * 1000003 + uint64_t(value);
    printf("N=%d hash=%llx last=%d\n", n_max, (unsigned long long)hash, g[n_max]);
}

// One token on a directed acyclic graph, as it is usually programmed: adjacency lists, depth-first order, a
// std::set of the values of the successors at each node. Yardstick of benches/versus.
//
//   graph N < pairs      pairs `v u` (an edge from v to u), nodes 0..N
//
// Prints `N=<n> hash=<hex> last=<g(n)>`.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <set>
#include <vector>

int main(int argc, char **argv) {
    const int n = argc > 1 ? atoi(argv[1]) : 0;
    std::vector<std::vector<int>> to(n + 1);
    int v, u;
    while (scanf("%d %d", &v, &u) == 2) to[v].push_back(u);
    std::vector<int> g(n + 1, -1);
    std::vector<std::pair<int, size_t>> stack;
    for (int start = 0; start <= n; ++start) {
        if (g[start] >= 0) continue;
        stack.push_back({start, 0});
        while (!stack.empty()) {
            const int node = stack.back().first;
            if (stack.back().second < to[node].size()) {
                const int next = to[node][stack.back().second++];
                if (g[next] < 0) stack.push_back({next, 0});
                continue;
            }
            std::set<int> seen;
            for (int next : to[node]) seen.insert(g[next]);
            int mex = 0;
            while (seen.count(mex)) ++mex;
            g[node] = mex;
            stack.pop_back();
        }
    }
    uint64_t hash = 0;
    for (int value : g) hash = hash * 1000003 + uint64_t(value);
    printf("N=%d hash=%llx last=%d\n", n, (unsigned long long)hash, g[n]);
}

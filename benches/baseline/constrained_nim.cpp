// ABC 255 G as a contestant solves it: deleted heaps in ascending order. Yardstick of benches/versus.
#include <algorithm>
#include <iostream>
#include <map>
#include <unordered_map>
#include <vector>

typedef long long Int;

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n, m;
    std::cin >> n >> m;
    std::vector<Int> heaps(n);
    for (Int &heap : heaps) std::cin >> heap;
    std::map<Int, std::vector<Int>> banned;
    for (int i = 0; i < m; ++i) {
        Int x, y;
        std::cin >> x >> y;
        banned[x].push_back(x - y);
    }
    std::vector<Int> deleted, values;
    std::unordered_map<Int, Int> again;  // how many deleted heaps repeat a value
    auto value = [&](Int x) {
        const auto at = std::lower_bound(deleted.begin(), deleted.end(), x) - deleted.begin();
        if (at < (Int)deleted.size() && deleted[at] == x) return values[at];
        return x - (Int)at;
    };
    for (auto &entry : banned) {
        std::unordered_map<Int, Int> count;
        for (Int target : entry.second) ++count[value(target)];
        Int least = -1;
        for (auto &seen : count) {
            const auto repeats = again.find(seen.first);
            const Int heaps_with = 1 + (repeats == again.end() ? 0 : repeats->second);
            if (seen.second == heaps_with && (least < 0 || seen.first < least)) least = seen.first;
        }
        if (least >= 0) {
            deleted.push_back(entry.first);
            values.push_back(least);
            ++again[least];
        }
    }
    Int sum = 0;
    for (Int heap : heaps) sum ^= value(heap);
    std::cout << (sum == 0 ? "Aoki\n" : "Takahashi\n");
}

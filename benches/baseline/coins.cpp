// HDU 3537 as a contestant solves it. Yardstick of benches/versus.
#include <algorithm>
#include <iostream>
#include <vector>

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    int n;
    while (std::cin >> n) {
        std::vector<int> coins(n);
        for (int &coin : coins) std::cin >> coin;
        std::sort(coins.begin(), coins.end());
        coins.erase(std::unique(coins.begin(), coins.end()), coins.end());
        int sum = 0;
        for (int coin : coins) sum ^= 2 * coin + (__builtin_popcount(coin) % 2 == 0);
        std::cout << (sum == 0 ? "Yes\n" : "No\n");
    }
}

// 51nod 1661 as a contestant solves it: the closed form of the values and its inverse. Yardstick of benches/versus.
#include <algorithm>
#include <iostream>
#include <vector>

typedef long long Int;

// g(ak + 1) = g(a), g(ak + b) = a(k - 1) + b - 1 for 2 <= b <= k.
static Int value(Int x, Int k) {
    while (x > 1) {
        const Int a = (x - 1) / k, b = x - a * k;
        if (b > 1) return a * (k - 1) + b - 1;
        x = a;
    }
    return 0;
}

// The y in [low, high] with that value, or 0.
static Int with_value(Int wanted, Int k, Int low, Int high) {
    __int128 y = 1;
    if (wanted > 0) {
        const Int a = (wanted - 1) / (k - 1), b = wanted - a * (k - 1) + 1;
        y = (__int128)a * k + b;
    }
    while (y < low) y = y * k + 1;
    return y <= high ? (Int)y : 0;
}

int main() {
    std::ios::sync_with_stdio(false);
    std::cin.tie(nullptr);
    Int n, k;
    while (std::cin >> n >> k) {
        std::vector<Int> a(n), g(n);
        Int sum = 0;
        for (Int i = 0; i < n; ++i) {
            std::cin >> a[i];
            sum ^= g[i] = value(a[i], k);
        }
        bool won = false;
        for (Int i = 0; sum != 0 && i < n && !won; ++i) {
            if (a[i] == 1) continue;
            const Int y = with_value(sum ^ g[i], k, a[i] / k + (a[i] % k != 0), a[i] - 1);
            if (y > 0) {
                std::cout << "Alice " << i + 1 << ' ' << y << '\n';
                won = true;
            }
        }
        if (!won) std::cout << "Bob\n";
    }
}

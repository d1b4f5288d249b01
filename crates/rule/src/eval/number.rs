//! Number theory over 128 bits: quotients, roots, primes, factors. Exact, or an error that says why not.

use crate::expr::{EvalError, Int};

/// Both numbers in 64 bits, if `b` is positive: the common case, several times as fast to divide.
fn narrow(a: Int, b: Int) -> Option<(i64, i64)> {
    Some((i64::try_from(a).ok()?, i64::try_from(b).ok().filter(|&b| b > 0)?))
}

/// Product; `None` if it does not fit.
pub(crate) fn mul(a: Int, b: Int) -> Option<Int> {
    match (i64::try_from(a), i64::try_from(b)) {
        (Ok(a), Ok(b)) => Some(Int::from(a) * Int::from(b)),
        _ => a.checked_mul(b),
    }
}

/// Quotient rounded down; `None` if it does not fit or `b` is 0.
pub(crate) fn floor_div(a: Int, b: Int) -> Option<Int> {
    if let Some((a, b)) = narrow(a, b) {
        return Some(Int::from(a.div_euclid(b)));
    }
    let quotient = a.checked_div(b)?;
    let uneven = a.checked_rem(b)? != 0;
    Some(if uneven && (a < 0) != (b < 0) { quotient - 1 } else { quotient })
}

/// Quotient rounded up; `None` if it does not fit or `b` is 0.
pub(crate) fn ceil_div(a: Int, b: Int) -> Option<Int> {
    if let Some((a, b)) = narrow(a, b) {
        return Some(Int::from(a.div_euclid(b)) + Int::from(a.rem_euclid(b) != 0));
    }
    let quotient = a.checked_div(b)?;
    let uneven = a.checked_rem(b)? != 0;
    Some(if uneven && (a < 0) == (b < 0) { quotient + 1 } else { quotient })
}

/// Remainder with the sign of the divisor, which is not 0.
pub(crate) fn floor_mod(a: Int, b: Int) -> Int {
    if let Some((a, b)) = narrow(a, b) {
        return Int::from(a.rem_euclid(b));
    }
    let rest = a.checked_rem(b).unwrap_or(0);
    if rest != 0 && (rest < 0) != (b < 0) { rest + b } else { rest }
}

/// `a^b` for `b >= 0`; `None` if it does not fit.
pub(crate) fn pow(a: Int, b: Int) -> Option<Int> {
    match a {
        0 => Some(Int::from(b == 0)),
        1 => Some(1),
        -1 => Some(if b % 2 == 0 { 1 } else { -1 }),
        _ => a.checked_pow(u32::try_from(b).ok()?),
    }
}

/// Integer k-th root of `x >= 0`, `k >= 1`.
pub(crate) fn root(x: Int, k: Int) -> Int {
    let Ok(k) = u32::try_from(k) else { return x.min(1) };
    match k {
        1 => return x,
        2 => return x.isqrt(),
        127.. => return x.min(1),
        _ => {}
    }
    if x < 2 {
        return x;
    }
    // The root has at most ceil(bits / k) bits; build it from the top.
    let mut found: Int = 0;
    for bit in (0..=x.ilog2() / k).rev() {
        let next = found | (1 << bit);
        if next.checked_pow(k).is_some_and(|p| p <= x) {
            found = next;
        }
    }
    found
}

/// Greatest common divisor; gcd(0, 0) = 0.
pub(crate) fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        if let (Ok(x), Ok(y)) = (u64::try_from(a), u64::try_from(b)) {
            return u128::from(gcd_narrow(x, y));
        }
        (a, b) = (b, a % b);
    }
    a
}

/// Binary gcd: several times as fast as remainders.
pub(crate) fn gcd_narrow(mut a: u64, mut b: u64) -> u64 {
    if a == 0 || b == 0 {
        return a | b;
    }
    let shift = (a | b).trailing_zeros();
    a >>= a.trailing_zeros();
    loop {
        b >>= b.trailing_zeros();
        if a > b {
            (a, b) = (b, a);
        }
        b -= a;
        if b == 0 {
            return a << shift;
        }
    }
}

/// Least common multiple, 0 if one is 0; `None` if it does not fit.
pub(crate) fn lcm(a: u128, b: u128) -> Option<u128> {
    if a == 0 || b == 0 { Some(0) } else { (a / gcd(a, b)).checked_mul(b) }
}

/// Sum of the digits of `x >= 0` in base `b >= 2`.
pub(crate) fn digit_sum(mut x: Int, b: Int) -> Int {
    let mut sum = 0;
    while x > 0 {
        sum += x % b;
        x /= b;
    }
    sum
}

/// The greatest e with p^e dividing `x != 0`, `p >= 2`.
pub(crate) fn valuation(mut x: Int, p: Int) -> u32 {
    let mut e = 0;
    while x % p == 0 {
        x /= p;
        e += 1;
    }
    e
}

/// fib(1) = fib(2) = 1 for `i >= 0`; `None` if it does not fit.
pub(crate) fn fib(i: Int) -> Option<Int> {
    if i > 200 {
        return None;
    }
    let (mut a, mut b): (Option<Int>, Option<Int>) = (Some(0), Some(1));
    for _ in 0..i {
        let next = a.zip(b).and_then(|(a, b)| a.checked_add(b));
        (a, b) = (b, next);
    }
    a
}

/// From here on primality is not decided: the least strong pseudoprime to the first thirteen primes
/// (Sorenson and Webster, Math. Comp. 86, 2017).
const PRIME_LIMIT: u128 = 3_317_044_064_679_887_385_961_981;

fn too_large(n: u128) -> EvalError {
    EvalError::overflow(format!("deciding primality of {n}"))
}

/// Whether `n` is prime.
///
/// # Errors
/// `n` at or beyond [`PRIME_LIMIT`] without a small factor.
pub(crate) fn is_prime(n: u128) -> Result<bool, EvalError> {
    const BASES: [u128; 13] = [2, 3, 5, 7, 11, 13, 17, 19, 23, 29, 31, 37, 41];
    if n < 2 {
        return Ok(false);
    }
    for p in BASES {
        if n.is_multiple_of(p) {
            return Ok(n == p);
        }
    }
    if n < 43 * 43 {
        return Ok(true);
    }
    if n >= PRIME_LIMIT {
        return Err(too_large(n));
    }
    let twos = (n - 1).trailing_zeros();
    let odd = (n - 1) >> twos;
    'bases: for base in BASES {
        let mut x = pow_mod(base, odd, n);
        if x == 1 || x == n - 1 {
            continue;
        }
        for _ in 1..twos {
            x = mul_mod(x, x, n);
            if x == n - 1 {
                continue 'bases;
            }
        }
        return Ok(false);
    }
    Ok(true)
}

/// `a * b mod n` for a, b < n < 2^88.
fn mul_mod(a: u128, b: u128, n: u128) -> u128 {
    if n <= u128::from(u64::MAX) {
        return a * b % n;
    }
    // 40 bits of b at a time: every product stays below 2^128.
    let mask = (1 << 40) - 1;
    let mut sum = 0;
    for chunk in [b >> 80, (b >> 40) & mask, b & mask] {
        sum = ((sum << 40) % n + a * chunk % n) % n;
    }
    sum
}

fn pow_mod(mut base: u128, mut exponent: u128, n: u128) -> u128 {
    let mut result = 1;
    base %= n;
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = mul_mod(result, base, n);
        }
        base = mul_mod(base, base, n);
        exponent >>= 1;
    }
    result
}

/// The prime factors of `n >= 1`, ascending, with their exponents.
///
/// # Errors
/// `n` has a part without small factors at or beyond [`PRIME_LIMIT`].
pub(crate) fn factor(mut n: u128) -> Result<Vec<(u128, u32)>, EvalError> {
    let mut found: Vec<(u128, u32)> = Vec::new();
    let mut p: u128 = 2;
    // Trial division to 1000 finishes everything below 10^6 and leaves the rest to Pollard.
    while p < 1000 && p * p <= n {
        let mut e = 0;
        while n.is_multiple_of(p) {
            n /= p;
            e += 1;
        }
        if e > 0 {
            found.push((p, e));
        }
        p += if p == 2 { 1 } else { 2 };
    }
    if n > 1 && n < p * p {
        found.push((n, 1));
        return Ok(found);
    }
    let mut open = if n > 1 { vec![n] } else { Vec::new() };
    let mut primes = Vec::new();
    while let Some(m) = open.pop() {
        if is_prime(m)? {
            primes.push(m);
        } else {
            let d = divisor_of(m);
            open.extend([d, m / d]);
        }
    }
    primes.sort_unstable();
    for p in primes {
        match found.last_mut() {
            Some((last, e)) if *last == p => *e += 1,
            _ => found.push((p, 1)),
        }
    }
    Ok(found)
}

/// A proper divisor of the composite `n` (no factor below 1000): Pollard's rho with Brent's batches.
fn divisor_of(n: u128) -> u128 {
    let root = n.isqrt();
    if root * root == n {
        return root;
    }
    // Some increment splits n; each failure takes the next one.
    let mut increment = 1;
    loop {
        let step = |x: u128| (mul_mod(x, x, n) + increment) % n;
        let (mut slow, mut fast, mut saved) = (2, 2, 2);
        let mut length = 1;
        let mut d = 1;
        while d == 1 {
            slow = fast;
            for _ in 0..length {
                fast = step(fast);
            }
            let mut done = 0;
            while done < length && d == 1 {
                saved = fast;
                let mut product = 1;
                for _ in 0..128.min(length - done) {
                    fast = step(fast);
                    product = mul_mod(product, fast.abs_diff(slow), n);
                }
                d = gcd(product, n);
                done += 128;
            }
            length *= 2;
        }
        if d == n {
            d = 1;
            while d == 1 {
                saved = step(saved);
                d = gcd(saved.abs_diff(slow), n);
            }
        }
        if d != n {
            return d;
        }
        increment += 1;
    }
}

/// The divisors of `n >= 1`, ascending.
///
/// # Errors
/// See [`factor`].
pub(crate) fn divisors(n: u128) -> Result<Vec<Int>, EvalError> {
    let mut all: Vec<Int> = vec![1];
    for (p, e) in factor(n)? {
        let p = Int::try_from(p).map_err(|_| too_large(p))?;
        let before = all.len();
        let mut power = 1;
        for _ in 0..e {
            power *= p;
            for i in 0..before {
                all.push(all[i] * power);
            }
        }
    }
    all.sort_unstable();
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn primes_and_divisors_agree_with_trial_division() {
        for n in 1..3000u128 {
            let slow: Vec<Int> = (1..=n).filter(|d| n % d == 0).map(|d| Int::try_from(d).unwrap()).collect();
            assert_eq!(divisors(n).unwrap(), slow);
            assert_eq!(is_prime(n).unwrap(), slow.len() == 2);
        }
    }

    #[test]
    fn large_numbers_factor() {
        for (n, factors) in [
            (1_000_000_007u128 * 1_000_000_009, vec![(1_000_000_007, 1), (1_000_000_009, 1)]),
            (1_000_003 * 1_000_003 * 1_000_003, vec![(1_000_003, 3)]),
            (1_009 * 1_009, vec![(1_009, 2)]),
            (10u128.pow(18), vec![(2, 18), (5, 18)]),
            (18_446_744_073_709_551_557 * 8191, vec![(8191, 1), (18_446_744_073_709_551_557, 1)]),
        ] {
            assert_eq!(factor(n).unwrap(), factors, "{n}");
        }
        assert!(factor((1 << 127) - 1).is_err(), "not decided, and said so");
    }

    #[test]
    fn roots_are_floors() {
        for k in 1..8 {
            for x in 0..2000 {
                let r = root(x, k);
                assert!(pow(r, k).unwrap() <= x && pow(r + 1, k).unwrap() > x, "root({x}, {k}) = {r}");
            }
        }
        assert_eq!(root(Int::MAX, 3), 5_541_191_377_756);
    }

    #[test]
    fn gcd_mixes_widths() {
        assert_eq!(gcd(1 << 100, 1 << 70), 1 << 70);
        assert_eq!((gcd(0, 5), gcd(12, 18), gcd(0, 0)), (5, 6, 0));
    }
}

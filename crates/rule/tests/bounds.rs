//! Which variables are limited, found out before any heap is known.

use grundy_rule::{Diagnostic, Rule};

fn say(text: &str) -> Vec<Diagnostic> {
    match Rule::parse(text, &[]) {
        Ok((rule, _)) => grundy_rule::bounds::check(&rule),
        Err(said) => said,
    }
}

#[test]
fn variables_that_are_limited() {
    for text in [
        "n -> n - t where t >= 1",
        "n -> a where a < n",
        "n -> a, b where a + b = n",
        "n -> a where 2*a + 3 <= n",
        "n -> a where a*a <= n",
        "n -> n - t where t^3 <= n, t >= 1",
        "n -> n - t where 2^t <= n",
        "n -> [a + i for i in 0..k-1] where k >= 2, a >= 1, 2*n = k*(2*a + k - 1)",
        "n -> a, b where a*b = n, n >= 1",
        "n -> max(n - t, 0) where t in {1, 2, n}",
        "n -> n + t where t in divisors(n)",
        "n -> d where d divides n, n >= 1",
        "n -> floor(n/t) where 2 <= t, floor(n/t) >= 1",
        "n -> a where sqrt(a) < n, a <= 3*n or a in 1..3",
        "n -> a where max(a, 3) <= n",
        "n -> a where abs(a - n) <= 3, a != n",
        "n -> a where bitor(a, 1) <= n",
        "n -> a where a = n // 2",
        "n -> a where n - 5 <= -a",
        "game g(k) where k >= 1; n -> a where k*a < n",
        "game g(k); n -> n + t where t in 1..k",
        "game g(S: set); n -> n + t where t in S",
        "game g(E: pairs); v -> u where (v, u) in E",
        "(a, b) -> (a - k*b, b) where k >= 1, 1 <= b <= a",
        "n -> [n for p in 1..n] where n >= 1",
        "n -> [d for d in divisors(n)] where n >= 1",
    ] {
        let said = say(text);
        assert!(said.iter().all(|d| d.id != "unbounded"), "{text}: {}", said[0].plain(text));
    }
}

#[test]
fn variables_that_nothing_limits() {
    for (text, name, patch) in [
        ("n -> n + t where t >= 1", "t", Some("n - t")),
        ("(n, m) -> (n + t, m) where t >= 1", "t", Some("n - t")),
        ("n -> a", "a", None),
        ("n -> n + t where t in primes", "t", Some("n - t")),
        ("n -> a, b where a - b <= n, b >= 1", "a", None),
        ("n -> a where gcd(a, n) = 1", "a", None),
        ("n -> d where d divides n", "d", None),
        ("n -> a, b where a*b = n", "a", None),
        ("n -> a where a < n or a > 3", "a", None),
        ("n -> a where not a < n", "a", None),
        ("n -> t % 3 where t >= 1", "t", None),
        ("game g(k); n -> a where k*a < n", "a", None),
    ] {
        let said = say(text);
        let found: Vec<_> = said.iter().filter(|d| d.id == "unbounded").collect();
        assert_eq!(found.len(), 1, "{text}: {said:?}");
        assert_eq!(found[0].message, format!("nothing limits `{name}` from above"), "{text}");
        assert_eq!(&text[found[0].span.start..found[0].span.end], name, "{text}");
        assert_eq!(found[0].patch.as_ref().map(|p| p.text.as_str()), patch, "{text}");
        if let Some(patch) = &found[0].patch {
            let mended = format!("{}{}{}", &text[..patch.span.start], patch.text, &text[patch.span.end..]);
            assert!(say(&mended).iter().all(|d| d.id != "unbounded"), "{mended}");
        }
        assert!(found[0].help.is_some());
    }
}

#[test]
fn a_list_has_an_end() {
    let said = say("n -> [n - 1 for i in 1..] where n >= 1");
    assert_eq!(said.iter().map(|d| d.id).collect::<Vec<_>>(), ["unbounded"], "{said:?}");
    assert_eq!(said[0].message, "this list has no end");
}

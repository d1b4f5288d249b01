//! Octal codes: the published periods, and no law that the game breaks.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use grundy::law::Kind;
use grundy::law::discover::agrees;
use grundy::limits::Limits;

use super::{rows, rule, searched, values};

/// Does it for all items, on as many threads as the machine has.
fn for_all<T: Sync>(items: &[T], work: impl Fn(&T) + Sync) {
    let next = AtomicUsize::new(0);
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(item) = items.get(next.fetch_add(1, Ordering::Relaxed)) {
                    work(item);
                }
            });
        }
    });
}

#[test]
fn octal_codes_have_the_published_periods() {
    let rows: Vec<Vec<&str>> = rows(include_str!("../../../../testdata/octal_periods.tsv"))
        .filter(|row| row[1] == "proved")
        .filter(|row| row[2].parse::<u64>().unwrap() + row[3].parse::<u64>().unwrap() < 5000)
        .collect();
    assert!(rows.len() > 450, "{}", rows.len());
    for_all(&rows, |row| {
        let found = searched(&rule(row[0], ""), 16_000).found.unwrap_or_else(|| panic!("{}", row[0]));
        let period = found.law.period().unwrap_or_else(|| panic!("{}: {}", row[0], found.law));
        let published: (u128, u128) = (row[3].parse().unwrap(), row[2].parse().unwrap());
        assert_eq!(
            (period.preperiod, period.period, period.saltus),
            (published.0, published.1, 0),
            "{}",
            row[0]
        );
    });
}

/// All codes 0.d1d2d3. A period that holds for twice the preperiod and period and the digits is for ever (Guy and
/// Smith), so only a law of another kind, or one seen less far, has to be compared with a longer table; and, lest the
/// theorem is applied wrongly, every tenth of the others is, too.
#[test]
fn no_law_of_a_three_digit_code_breaks_before_20000() {
    let codes: Vec<u32> = (0..512).collect();
    let (laws, compared) = (AtomicUsize::new(0), AtomicUsize::new(0));
    for_all(&codes, |digits| {
        let code = format!("0.{digits:03o}");
        let rule = rule(&code, "");
        let Some(found) = searched(&rule, 4000).found else { return };
        laws.fetch_add(1, Ordering::Relaxed);
        let for_ever = found.law.kind() == Kind::Periodic
            && found
                .law
                .period()
                .is_some_and(|p| 2 * (p.preperiod + p.period) + 3 <= u128::from(found.checked_to));
        if for_ever && digits % 10 != 3 {
            return;
        }
        compared.fetch_add(1, Ordering::Relaxed);
        let wrong = agrees(&found.law, &values(&rule, 20_000), &Limits::default().clock()).unwrap();
        assert_eq!(wrong, None, "{code}: {}", found.law);
    });
    let (laws, compared) = (laws.into_inner(), compared.into_inner());
    assert!(laws > 200 && compared > 20, "{laws} laws, {compared} compared");
}

use super::witness::{Verdict, witness};
use crate::automaton::learn::synchronized;
use crate::limits::Limits;
use crate::table::{Options, tabulate};
use grundy_rule::Rule;
use grundy_rule::formula::forms;
use std::time::Instant;

fn run(text: &str, n: u64, base: u32, coded: bool) -> String {
    let text = &match grundy_rule::code::to_rule_text(text) {
        Some(t) => t.unwrap(),
        None => text.to_string(),
    };
    let (rule, _) = Rule::parse(text, &[]).unwrap();
    let table = tabulate(&rule, n, &Options::default()).unwrap();
    let values: Vec<u128> = table.iter().map(|v| if coded { 1u128 << v } else { u128::from(v) }).collect();
    let t = Instant::now();
    let Some(g) = synchronized(&values, base, 300) else { return format!("{text}: no automaton") };
    let learned = t.elapsed();
    let forms = match forms(&rule) {
        Ok(f) => f,
        Err(u) => return format!("{text}: {u}"),
    };
    let runs = grundy_check::automatic::has_runs(&forms);
    let prefix = if runs {
        let mut x = vec![0u128];
        for v in &values {
            x.push(x[x.len() - 1] ^ v);
        }
        synchronized(&x, base, 300)
    } else {
        None
    };
    let t = Instant::now();
    match witness(&forms, &g, prefix.as_ref(), coded, &Limits::default().clock()).unwrap() {
        Verdict::Witnessed(data) => {
            let pool = data.pool.as_ref().unwrap();
            format!(
                "{text}: {} states, learned {learned:?}, pool {} pairs, {} states, {:?}, {} bytes",
                g.states(),
                pool.allowed.iter().map(|r| r.len() - 1).sum::<usize>(),
                pool.states.len(),
                t.elapsed(),
                serde_json::to_string(&data).unwrap().len()
            )
        }
        Verdict::Refuted(n) => format!("{text}: refuted at {n} {} states", g.states()),
        Verdict::Unfit(why) => format!("{text}: {why} {} states", g.states()),
    }
}

#[test]
fn games() {
    for (text, n, base, coded) in [
        ("0.2048", 3000, 2, false),
        ("0.8F", 2000, 2, false),
        ("0.09", 2000, 2, false),
        ("0.7F", 3000, 2, false),
    ] {
        println!("{}", run(text, n, base, coded));
    }
}

//! The examples of `docs/problems.md`, run as they stand.

use grundy::limits::Limits;
use grundy::problem::Problem;

#[test]
fn the_documented_problems_answer_as_documented() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/problems.md");
    let text = std::fs::read_to_string(path).expect("the page");
    let (mut problem, mut input, mut run) = (None, "", 0);
    for block in text.split("\n```").skip(1).step_by(2) {
        let (kind, body) = block.split_once('\n').expect("a kind of block");
        match kind {
            "problem" => {
                let parsed = Problem::parse(body);
                problem = Some(parsed.unwrap_or_else(|said| panic!("{}\n{body}", said[0].plain(body))));
            }
            "input" => input = body,
            "output" | "error" => {
                let problem = problem.as_ref().expect("a problem before its answer");
                let mut out = Vec::new();
                let got = match problem.solve(input.as_bytes(), &mut out, &Limits::default()) {
                    Ok(()) => ("output", String::from_utf8(out).expect("text")),
                    Err(error) => ("error", error.to_string()),
                };
                assert_eq!((got.0, got.1.trim_end()), (kind, body), "{}", problem.name());
                run += 1;
            }
            other => panic!("a block of kind {other:?}"),
        }
    }
    assert_eq!(run, 4);
}

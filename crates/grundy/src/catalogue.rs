//! The catalogue: named games, each with its rule, where it comes from, and what is known about it.
//!
//! A game is a file of `games/`, written in the rule language, and the file is the single source: its first
//! comment line is the summary that lists show, its `source` lines say where the game or its law is described, `terms`
//! and `law` are tested against the rule. The files are embedded by a plain table, so that the program needs
//! no folder beside it and the build no script; a test compares the table with the folder.
//!
//! Two more games have no rule, for no sum of heaps describes them: they are solved by [`crate::search`] and
//! stand in the same list.

use std::sync::OnceLock;

use grundy_rule::diagnostic::Patch;
use grundy_rule::{Diagnostic, Span};

use crate::search::built_in;

/// A game of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Game {
    /// Its name, with hyphens.
    pub name: &'static str,
    /// Other names under which it is found.
    pub aliases: &'static [&'static str],
    /// Its rule, or that it has none.
    pub kind: Kind,
    /// What it is, in one sentence.
    pub summary: &'static str,
    /// Where the game or its law is described; at least one.
    pub sources: Vec<&'static str>,
}

/// How a game of the catalogue is given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// The text of its file.
    Rule(&'static str),
    /// Solved by [`crate::search::built_in`] under the same name.
    BuiltIn,
}

impl Game {
    /// The text of its file; `None` for a game without a rule.
    #[must_use]
    pub fn text(&self) -> Option<&'static str> {
        match self.kind {
            Kind::Rule(text) => Some(text),
            Kind::BuiltIn => None,
        }
    }

    /// What follows its name in the header: its parameters and what they must satisfy, as in
    /// `(k) where k >= 2`. Empty for a game without parameters.
    #[must_use]
    pub fn parameters(&self) -> &'static str {
        let header =
            |line: &&str| ["game ", "coins ", "misere ", "loopy "].iter().any(|word| line.starts_with(word));
        let line = self.text().and_then(|text| text.lines().find(header)).unwrap_or("");
        line.find('(').map_or("", |at| without_comment(&line[at..]))
    }
}

/// All games, in the order of their names.
///
/// ```
/// let names: Vec<&str> = grundy::catalogue::games().iter().map(|game| game.name).collect();
/// assert!(names.contains(&"kayles") && names.contains(&"sos"));
/// ```
pub fn games() -> &'static [Game] {
    static GAMES: OnceLock<Vec<Game>> = OnceLock::new();
    GAMES.get_or_init(|| {
        let mut games: Vec<Game> =
            FILES.iter().map(|&(name, text, aliases)| from_text(name, text, aliases)).collect();
        games.extend(BUILT_IN.iter().filter_map(|&(name, source, aliases)| {
            let summary = built_in(name)?.summary();
            Some(Game { name, aliases, kind: Kind::BuiltIn, summary, sources: vec![source] })
        }));
        games.sort_by_key(|game| game.name);
        games
    })
}

/// The game with that name or alias; case, spaces, hyphens and underscores do not count.
///
/// ```
/// use grundy::catalogue::find;
/// assert_eq!(find("Mock_Turtles").unwrap().name, "mock-turtles");
/// assert_eq!(find("Dawson's Kayles").unwrap().name, "dawsons-kayles");
/// assert!(find("0.77").is_none());
/// ```
#[must_use]
pub fn find(name: &str) -> Option<&'static Game> {
    let (name, _) = entry(name)?;
    games().iter().find(|game| game.name == name)
}

/// Name and text of the game with that name or alias, for those who want nothing else: the other files are not looked
/// at.
///
/// ```
/// use grundy::catalogue::{Kind, entry};
/// assert!(matches!(entry("Kayles"), Some(("kayles", Kind::Rule(text))) if text.contains("->")));
/// assert_eq!(entry("SOS"), Some(("sos", Kind::BuiltIn)));
/// ```
#[must_use]
pub fn entry(name: &str) -> Option<(&'static str, Kind)> {
    let wanted = plain(name);
    let files = FILES.iter().map(|&(name, text, aliases)| (name, Kind::Rule(text), aliases));
    let mut all = files.chain(BUILT_IN.iter().map(|&(name, _, aliases)| (name, Kind::BuiltIn, aliases)));
    let named = all.clone().find(|(name, ..)| plain(name) == wanted);
    let called = |(_, _, aliases): &(_, _, &[&str])| aliases.iter().any(|alias| plain(alias) == wanted);
    named.or_else(|| all.find(called)).map(|(name, kind, _)| (name, kind))
}

/// Names of the catalogue that may have been meant, the nearest first; at most five.
///
/// A name is near if few letters differ (one in three, at most three); if there is none such, those that
/// contain what was typed.
#[must_use]
pub fn suggestions(name: &str) -> Vec<&'static str> {
    let wanted: Vec<char> = plain(name).chars().take(LONGEST).collect();
    let typed: String = wanted.iter().collect();
    let mut near: Vec<(usize, &'static str)> = Vec::new();
    for game in games() {
        let names = std::iter::once(&game.name).chain(game.aliases);
        let distance = names.filter_map(|name| {
            let candidate = plain(name);
            let letters: Vec<char> = candidate.chars().collect();
            let differ = distance(&wanted, &letters);
            if differ <= (wanted.len().min(letters.len()) / 3).clamp(1, 3) {
                Some(differ)
            } else {
                (wanted.len() >= 3 && candidate.contains(&typed)).then_some(CONTAINED)
            }
        });
        near.extend(distance.min().map(|distance| (distance, game.name)));
    }
    near.sort_unstable();
    if near.first().is_some_and(|(differ, _)| *differ < CONTAINED) {
        near.retain(|(differ, _)| *differ < CONTAINED);
    }
    near.into_iter().map(|(_, name)| name).take(5).collect()
}

/// The message for a word that is no rule, no file, no code and no game of the catalogue.
#[must_use]
pub fn unknown(name: &str) -> Diagnostic {
    let span = Span::new(0, name.len());
    let near = suggestions(name);
    let mut diagnostic = Diagnostic::error("unknown-game", span, format!("no game is called `{name}`"));
    if let [only, more @ ..] = near.as_slice() {
        let list = more.iter().fold(format!("`{only}`"), |list, name| format!("{list}, `{name}`"));
        diagnostic = diagnostic.help(format!("perhaps {list}"));
        if more.is_empty() {
            diagnostic.patch = Some(Patch { span, text: (*only).to_string() });
        }
    } else {
        diagnostic =
            diagnostic.help("a rule holds `->`, as in `n -> n - t where t in 1..3`; a file ends in `.game`");
    }
    diagnostic
}

/// Stands for the distance of a name that contains what was typed: more than any that letters give.
const CONTAINED: usize = 4;

/// Longer words are compared by their beginning only.
const LONGEST: usize = 64;

fn from_text(name: &'static str, text: &'static str, aliases: &'static [&'static str]) -> Game {
    let summary = text.lines().next().and_then(|line| line.strip_prefix('#')).map_or("", str::trim);
    let sources = text.lines().filter_map(|line| line.strip_prefix("source \"")?.strip_suffix('"')).collect();
    Game { name, aliases, kind: Kind::Rule(text), summary, sources }
}

fn without_comment(line: &str) -> &str {
    line.split('#').next().unwrap_or(line).trim()
}

/// A name as it is compared: lower case, letters, digits and what is not a separator.
fn plain(name: &str) -> String {
    let separator = |c: char| c.is_whitespace() || matches!(c, '-' | '_' | '\'' | '\u{2019}');
    name.chars().filter(|c| !separator(*c)).flat_map(char::to_lowercase).collect()
}

/// How many letters must be changed, added, left out, or exchanged with their neighbour.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut rows: Vec<Vec<usize>> = vec![(0..=b.len()).collect()];
    for i in 1..=a.len() {
        let mut row = vec![i];
        for j in 1..=b.len() {
            let mut best = (rows[i - 1][j] + 1).min(row[j - 1] + 1);
            best = best.min(rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]));
            if i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] {
                best = best.min(rows[i - 2][j - 2] + 1);
            }
            row.push(best);
        }
        rows.push(row);
    }
    rows[a.len()][b.len()]
}

/// Name, source and aliases of the games without a rule; their summaries stand with their solvers.
type BuiltInEntry = (&'static str, &'static str, &'static [&'static str]);

const BUILT_IN: &[BuiltInEntry] = &[
    (
        "arc-kayles",
        "T. J. Schaefer, On the complexity of some two-person perfect-information games, J. Comput. System Sci. 16 (1978)",
        &[],
    ),
    ("chomp", "D. Gale, A curious Nim-type game, Amer. Math. Monthly 81 (1974)", &["chomp-board"]),
    ("cram", "M. Gardner, Mathematical Games, Scientific American 230 (February 1974)", &["plugg"]),
    (
        "edge-geography",
        "T. J. Schaefer, On the complexity of some two-person perfect-information games, J. Comput. System Sci. 16 (1978)",
        &["directed-edge-geography"],
    ),
    (
        "geography",
        "D. Lichtenstein, M. Sipser, GO is polynomial-space hard, J. ACM 27 (1980)",
        &["directed-geography", "vertex-geography"],
    ),
    (
        "hackenbush",
        "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for Your Mathematical Plays, ch. 7",
        &["green-hackenbush"],
    ),
    (
        "loopy-token",
        "C. A. B. Smith, Graphs and composite games, J. Combin. Theory 1 (1966)",
        &["loopy-graph"],
    ),
    ("melon", "CODE M 2017, melons", &["melons", "codem-2017-melon"]),
    (
        "node-kayles",
        "T. J. Schaefer, On the complexity of some two-person perfect-information games, J. Comput. System Sci. 16 (1978)",
        &["queens-placing"],
    ),
    ("sos", "ACM ICPC EC-Final 2017 L, SOS", &["ec-final-2017-l"]),
    (
        "strings",
        "A. Thue, Probleme \u{fc}ber Ver\u{e4}nderungen von Zeichenreihen nach gegebenen Regeln (1914), for rewriting",
        &["string-game", "rewriting"],
    ),
    (
        "treblecross-board",
        "E. R. Berlekamp, J. H. Conway, R. K. Guy, Winning Ways for Your Mathematical Plays, ch. 4",
        &["treblecross-strip"],
    ),
    (
        "undirected-edge-geography",
        "A. S. Fraenkel, E. R. Scheinerman, D. Ullman, Undirected edge geography, Theoret. Comput. Sci. 112 (1993)",
        &[],
    ),
    (
        "undirected-geography",
        "A. S. Fraenkel, E. R. Scheinerman, D. Ullman, Undirected edge geography, Theoret. Comput. Sci. 112 (1993)",
        &["undirected-vertex-geography"],
    ),
];

/// Name, text and aliases of every file of `games/`, in the order of names.
type FileEntry = (&'static str, &'static str, &'static [&'static str]);

#[rustfmt::skip]
const FILES: &[FileEntry] = &[
    ("aliquot", include_str!("../../../games/aliquot.game"), &["divisor-nim", "divisors"]),
    ("all-but", include_str!("../../../games/all-but.game"), &["allbut-set", "all-but-subtraction"]),
    ("bachet", include_str!("../../../games/bachet.game"), &["bash", "take-up-to", "brave-game", "hdu-1846"]),
    ("beans", include_str!("../../../games/beans.game"), &["bowls-and-beans", "arc-038-c"]),
    ("blackboard", include_str!("../../../games/blackboard.game"), &["51nod-1661"]),
    ("chomp-three-rows", include_str!("../../../games/chomp-three-rows.game"), &["chomp3"]),
    ("consecutive", include_str!("../../../games/consecutive.game"), &["interesting-game"]),
    ("constrained-nim", include_str!("../../../games/constrained-nim.game"), &["nim-with-bans"]),
    ("couples-are-forever", include_str!("../../../games/couples-are-forever.game"), &["couples"]),
    ("cut-the-sheet", include_str!("../../../games/cut-the-sheet.game"), &["cutting-game", "poj-2311"]),
    ("dawsons-chess", include_str!("../../../games/dawsons-chess.game"), &["dawson-chess"]),
    ("dawsons-kayles", include_str!("../../../games/dawsons-kayles.game"), &["dawson-kayles", "domino-row", "flip-game"]),
    ("deleting-divisors", include_str!("../../../games/deleting-divisors.game"), &[]),
    ("discard-and-split", include_str!("../../../games/discard-and-split.game"), &["e-and-d", "delete-nim"]),
    ("dollar-nim", include_str!("../../../games/dollar-nim.game"), &[]),
    ("double-kayles", include_str!("../../../games/double-kayles.game"), &[]),
    ("each-number-once", include_str!("../../../games/each-number-once.game"), &["game-of-stones"]),
    ("euclid", include_str!("../../../games/euclid.game"), &["stone-game-ii"]),
    ("fibonacci-nim", include_str!("../../../games/fibonacci-nim.game"), &["hdu-2516"]),
    ("graph", include_str!("../../../games/graph.game"), &["token"]),
    ("grundys-game", include_str!("../../../games/grundys-game.game"), &["grundy"]),
    ("grunt", include_str!("../../../games/grunt.game"), &[]),
    ("guiles", include_str!("../../../games/guiles.game"), &["guile"]),
    ("halve-or-third", include_str!("../../../games/halve-or-third.game"), &[]),
    ("i-mark", include_str!("../../../games/i-mark.game"), &[]),
    ("kayles", include_str!("../../../games/kayles.game"), &["rayles", "bowling-pins", "rip-van-winkle"]),
    ("king", include_str!("../../../games/king.game"), &["kikis-game"]),
    ("knight", include_str!("../../../games/knight.game"), &["white-knight"]),
    ("lasker-nim", include_str!("../../../games/lasker-nim.game"), &["lasker", "laskers-nim"]),
    ("mark", include_str!("../../../games/mark.game"), &[]),
    ("mock-turtle-fives", include_str!("../../../games/mock-turtle-fives.game"), &[]),
    ("mock-turtles", include_str!("../../../games/mock-turtles.game"), &["hdu-3537"]),
    ("moebius", include_str!("../../../games/moebius.game"), &["mobius"]),
    ("mogul", include_str!("../../../games/mogul.game"), &[]),
    ("moidores", include_str!("../../../games/moidores.game"), &[]),
    ("moore-nim", include_str!("../../../games/moore-nim.game"), &["moores-nim", "nim-k"]),
    ("multiples", include_str!("../../../games/multiples.game"), &["array-game"]),
    ("multiply", include_str!("../../../games/multiply.game"), &["a-multiplication-game", "hdu-1517"]),
    ("nim", include_str!("../../../games/nim.game"), &["bouton", "nimble"]),
    ("nim-pair", include_str!("../../../games/nim-pair.game"), &["two-heap-nim"]),
    ("nim-triple", include_str!("../../../games/nim-triple.game"), &["three-heap-nim"]),
    ("octal-007", include_str!("../../../games/octal-007.game"), &[]),
    ("octal-04", include_str!("../../../games/octal-04.game"), &[]),
    ("octal-106", include_str!("../../../games/octal-106.game"), &[]),
    ("octal-127", include_str!("../../../games/octal-127.game"), &[]),
    ("octal-156", include_str!("../../../games/octal-156.game"), &[]),
    ("octal-16", include_str!("../../../games/octal-16.game"), &[]),
    ("octal-165", include_str!("../../../games/octal-165.game"), &[]),
    ("octal-376", include_str!("../../../games/octal-376.game"), &[]),
    ("octal-56", include_str!("../../../games/octal-56.game"), &[]),
    ("octal-644", include_str!("../../../games/octal-644.game"), &[]),
    ("officers", include_str!("../../../games/officers.game"), &[]),
    ("palindrome-strings", include_str!("../../../games/palindrome-strings.game"), &["playing-with-string"]),
    ("prefix-free", include_str!("../../../games/prefix-free.game"), &["arc-087-e"]),
    ("prime-powers", include_str!("../../../games/prime-powers.game"), &["arpa-and-mojtaba"]),
    ("proper-divisor", include_str!("../../../games/proper-divisor.game"), &["division-game"]),
    ("rims", include_str!("../../../games/rims.game"), &["take-a-run", "be-the-winner"]),
    ("ring-kayles", include_str!("../../../games/ring-kayles.game"), &["circular-kayles"]),
    ("ring-range", include_str!("../../../games/ring-range.game"), &["removing-graph"]),
    ("row-kayles", include_str!("../../../games/row-kayles.game"), &["k-kayles"]),
    ("ruler", include_str!("../../../games/ruler.game"), &["ruler-game"]),
    ("ruler-fives", include_str!("../../../games/ruler-fives.game"), &[]),
    ("ruler-regular", include_str!("../../../games/ruler-regular.game"), &["hexadecimal-2048"]),
    ("s-2-5-7", include_str!("../../../games/s-2-5-7.game"), &["subtract-2-5-7"]),
    ("saliquant", include_str!("../../../games/saliquant.game"), &[]),
    ("short-local-nim", include_str!("../../../games/short-local-nim.game"), &["short-nim", "mem0"]),
    ("split-in-three", include_str!("../../../games/split-in-three.game"), &["a-simple-nim"]),
    ("splitting", include_str!("../../../games/splitting.game"), &["hnoi-2007-split", "beans-and-bottles"]),
    ("square-but-one", include_str!("../../../games/square-but-one.game"), &["square-plus-one"]),
    ("subtract-range", include_str!("../../../games/subtract-range.game"), &["constrained-nim-2", "l-to-r"]),
    ("subtraction", include_str!("../../../games/subtraction.game"), &["subtract", "stones", "stick-game"]),
    ("switch-lights", include_str!("../../../games/switch-lights.game"), &["hdu-3404"]),
    ("sym", include_str!("../../../games/sym.game"), &[]),
    ("take-a-cube", include_str!("../../../games/take-a-cube.game"), &["subtract-a-cube"]),
    ("take-a-factorial", include_str!("../../../games/take-a-factorial.game"), &[]),
    ("take-a-fibonacci", include_str!("../../../games/take-a-fibonacci.game"), &["fibonacci-again-and-again", "hdu-1848"]),
    ("take-a-power", include_str!("../../../games/take-a-power.game"), &["powers"]),
    ("take-a-power-of-two", include_str!("../../../games/take-a-power-of-two.game"), &["power-of-two", "hdu-1847"]),
    ("take-a-prime", include_str!("../../../games/take-a-prime.game"), &["prime-nim"]),
    ("take-a-prime-or-one", include_str!("../../../games/take-a-prime-or-one.game"), &["prime-or-one"]),
    ("take-a-square", include_str!("../../../games/take-a-square.game"), &["subtract-a-square", "square-nim", "stone-game-iv"]),
    ("take-a-triangular", include_str!("../../../games/take-a-triangular.game"), &["subtract-a-triangular-number"]),
    ("take-at-most-half", include_str!("../../../games/take-at-most-half.game"), &["half-nim", "restricted-nim"]),
    ("take-at-most-sqrt", include_str!("../../../games/take-at-most-sqrt.game"), &["sqrt-nim"]),
    ("take-at-most-third", include_str!("../../../games/take-at-most-third.game"), &[]),
    ("take-few-primes", include_str!("../../../games/take-few-primes.game"), &["prime-game", "prigame"]),
    ("totative", include_str!("../../../games/totative.game"), &["coprime-nim", "not-a-nim-problem"]),
    ("treblecross", include_str!("../../../games/treblecross.game"), &["one-dimensional-tic-tac-toe", "crosses-and-crosses"]),
    ("triple-nim", include_str!("../../../games/triple-nim.game"), &["take-away-3"]),
    ("triplets", include_str!("../../../games/triplets.game"), &[]),
    ("turning-corners", include_str!("../../../games/turning-corners.game"), &["nim-product"]),
    ("turning-turtles", include_str!("../../../games/turning-turtles.game"), &[]),
    ("turnips", include_str!("../../../games/turnips.game"), &["ternups"]),
    ("twins", include_str!("../../../games/twins.game"), &[]),
    ("upmark", include_str!("../../../games/upmark.game"), &[]),
    ("wythoff", include_str!("../../../games/wythoff.game"), &["queen", "corner-the-lady", "wyt-queens"]),
    ("wythoff-t", include_str!("../../../games/wythoff-t.game"), &["generalised-wythoff", "generalized-wythoff"]),
    ("xor-nim", include_str!("../../../games/xor-nim.game"), &["bit-nim"]),
    ("zero-move-nim", include_str!("../../../games/zero-move-nim.game"), &["nim-with-a-pass"]),
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_found_however_they_are_written() {
        for name in
            ["kayles", "Kayles", " KAYLES", "mock turtles", "Mock-Turtles", "mockTurtles", "Grundy's game"]
        {
            assert!(find(name).is_some(), "{name}");
        }
        assert_eq!(find("bash").map(|game| game.name), Some("bachet"));
        assert_eq!(find("51nod-1661").map(|game| game.parameters()), Some("(k) where k >= 2"));
        assert_eq!(find("nim").map(Game::parameters), Some(""));
        assert_eq!(find("sos").map(|game| game.kind), Some(Kind::BuiltIn));
        assert!(find("").is_none() && find("-").is_none());
    }

    #[test]
    fn near_misses_find_what_was_meant() {
        for (typed, meant) in [
            ("kayle", "kayles"),
            ("kyales", "kayles"),
            ("dawsons-kayls", "dawsons-kayles"),
            ("wythof", "wythoff"),
            ("turtles", "mock-turtles"),
            ("fibonaci-nim", "fibonacci-nim"),
        ] {
            assert!(suggestions(typed).contains(&meant), "{typed}: {:?}", suggestions(typed));
        }
        assert!(suggestions("xyzzy-quux").is_empty());
        assert!(suggestions("nim").len() <= 5);
        let message = unknown("kayle");
        assert_eq!((message.id, message.help.as_deref()), ("unknown-game", Some("perhaps `kayles`")));
        assert!(unknown(&"a".repeat(100_000)).patch.is_none());
    }

    #[test]
    fn every_game_without_a_rule_is_listed() {
        for game in crate::search::BUILT_IN {
            let listed = find(game.name()).expect("is in the catalogue");
            assert_eq!((listed.kind, listed.summary), (Kind::BuiltIn, game.summary()));
        }
        assert_eq!(games().len(), FILES.len() + crate::search::BUILT_IN.len());
    }

    #[test]
    fn no_two_games_share_a_name() {
        let mut names: Vec<String> = Vec::new();
        for game in games() {
            names.push(plain(game.name));
            names.extend(game.aliases.iter().map(|alias| plain(alias)));
        }
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
    }
}

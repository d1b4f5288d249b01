//! The command line: what may be typed, and the words that `--help` says about it.
//!
//! One table feeds the parser, `--help`, the completions and the manual page. Resolving what was typed (which
//! rule, which parameters) is [`crate::load`]'s affair; here everything is still text.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand, ValueHint};
use grundy::export::{Format, View};
use grundy::law::program::Language;
use grundy::proof::By;
use grundy::table::EngineName;
use grundy_rule::rule::Player;

use crate::units;

const ABOUT: &str = "A workbench for combinatorial games: state a rule, see who wins and why";

const LONG_ABOUT: &str = "\
A workbench for combinatorial games.

State the rule of a game; grundy tabulates its Grundy values (nimbers), tells who wins a position, by which moves \
and why, and answers the judges' problems that are built on such games.";

const RULE_HELP: &str = "\
RULE is one of
  'n -> n - t where t in {1, 3, 4}'   rule text: whatever holds `->`
  my.game                             a file whose name ends in .game; `-` is standard input
  kayles                              a name in the catalogue (`grundy games`)
  0.77, S(2,5,7), 1-3                 a code of the literature
Then its parameters (k=3, k=10^18, S=2,5,7, c=[1,1,2], edges=(0,1),(0,2), edges=@file), then the position
(5 7 12, 3x5, '(3, 8)', 'row(7)').";

const EXAMPLES: &str = "\
Examples:
  grundy study kayles 5 7 12               who wins, by which moves, and why
  grundy table 0.77 -n 40                  Grundy values of heaps 0..40
  grundy moves 'n -> n - t where t in {1, 3, 4}' 10 11
  grundy value blackboard k=3 10^18        one heap, of any size
  grundy solve 51nod-1661 < input.txt      a judge's problem in its own format

Data goes to standard output, everything else to standard error.
Exit status: 0 answered, 1 the answer is no, 2 bad input or a limit reached.";

/// Reads one of the library's choices by its name; `--help` and completions list them.
fn named<T: Copy + Send + Sync + 'static>(
    all: &'static [T],
    name: fn(T) -> &'static str,
) -> impl TypedValueParser<Value = T> {
    PossibleValuesParser::new(all.iter().map(|choice| name(*choice))).map(move |word| {
        *all.iter().find(|choice| name(**choice) == word).expect("the parser lets only names pass")
    })
}

/// A language by its name or what people call it for short.
fn language(word: &str) -> Result<Language, String> {
    match word.to_ascii_lowercase().as_str() {
        "cpp" | "c++" | "cxx" | "cc" => Ok(Language::Cpp),
        "rust" | "rs" => Ok(Language::Rust),
        "python" | "py" | "python3" => Ok(Language::Python),
        _ => Err("write cpp (c++), rust (rs) or python (py)".to_string()),
    }
}

/// What was typed.
#[derive(Parser, Debug)]
#[command(name = "grundy", version, about = ABOUT, long_about = LONG_ABOUT, after_help = EXAMPLES)]
#[command(max_term_width = 110, disable_help_subcommand = true, infer_long_args = true)]
pub(crate) struct Cli {
    /// The subcommand.
    #[command(subcommand)]
    pub(crate) command: Command,
}

/// The subcommands.
#[derive(Subcommand, Debug)]
pub(crate) enum Command {
    /// The whole story of a rule: what it is, its table, and a position if one is given
    #[command(after_help = STUDY_EXAMPLES)]
    Study(Study),
    /// A rule as text and as a code, its shape, its parameters, and whether play must end
    #[command(after_help = SHOW_EXAMPLES)]
    Show(Show),
    /// The Grundy values of heaps 0..N
    #[command(after_help = TABLE_EXAMPLES)]
    Table(Table),
    /// The Grundy values of single heaps of any size
    #[command(after_help = VALUE_EXAMPLES)]
    Value(Value),
    /// Many codes at once: what law each game has, and whether it is proved
    #[command(after_help = SURVEY_EXAMPLES)]
    Survey(Survey),
    /// The law behind the values of a rule: found in its table, and proved if that can be done
    #[command(after_help = LAW_EXAMPLES)]
    Law(Law),
    /// Whether a formula holds for a rule: holds to N, or the least counterexample and why
    #[command(after_help = TEST_EXAMPLES)]
    Test(Test),
    /// Prove a law for all heaps: a certificate that `grundy-check` accepts, or a counterexample
    #[command(after_help = PROVE_EXAMPLES)]
    Prove(Prove),
    /// Who wins a position, every winning move, and the reason
    #[command(after_help = MOVES_EXAMPLES)]
    Moves(Moves),
    /// The result of a position, also where Grundy values do not decide
    #[command(after_help = OUTCOME_EXAMPLES)]
    Outcome(Outcome),
    /// A program that computes the nimbers of a rule from its law
    #[command(after_help = EMIT_EXAMPLES)]
    Emit(Emit),
    /// Which known games have these values, as they stand or moved by a few heaps
    #[command(after_help = IDENTIFY_EXAMPLES)]
    Identify(Identify),
    /// Answer a judge's problem: reads its input, prints its output
    #[command(after_help = SOLVE_EXAMPLES)]
    Solve(Solve),
    /// List the catalogue of games
    #[command(after_help = "Examples:\n  grundy games\n  grundy games dawson")]
    Games(Games),
    /// List the judges' problems that `solve` knows
    #[command(after_help = "Examples:\n  grundy problems\n  grundy problems 1661")]
    Problems(Problems),
    /// Print a completion script for a shell
    #[command(
        after_help = "Examples:\n  grundy completions bash > ~/.local/share/bash-completion/completions/grundy"
    )]
    Completions(Completions),
    /// Print the manual page (troff)
    #[command(after_help = "Examples:\n  grundy man > ~/.local/share/man/man1/grundy.1")]
    Man,
}

const STUDY_EXAMPLES: &str = "\
Examples:
  grundy study kayles 5 7 12
  grundy study 'n -> n - t where t in squares' 100
  grundy study blackboard k=3";

/// `grundy study`
#[derive(Args, Debug)]
pub(crate) struct Study {
    #[command(flatten)]
    pub(crate) rule: RuleArgs,
    /// How far to tabulate
    #[arg(short = 'n', long = "heaps", value_name = "N", value_parser = units::number, default_value = "100")]
    pub(crate) heaps: u64,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) json: JsonArg,
}

const SHOW_EXAMPLES: &str = "\
Examples:
  grundy show 0.77                         a code as rule text
  grundy show 'n -> n - t where t in {2, 5, 7}'
  grundy show kayles";

/// `grundy show`
#[derive(Args, Debug)]
pub(crate) struct Show {
    #[command(flatten)]
    pub(crate) rule: RuleArgs,
    #[command(flatten)]
    pub(crate) json: JsonArg,
}

const TABLE_EXAMPLES: &str = "\
Examples:
  grundy table 0.77 -n 40
  grundy table wythoff -n 10,10            a grid, for heaps of two entries
  grundy table mock-turtles -n 31 --view binary
  grundy table 'n -> n - t where t in S' S=2,5,7 -n 1000 --format csv -o values.csv
  grundy table ring-kayles --kind row -n 20
  grundy table kayles -n 10^9 -o kayles.npy             to disk, block by block
  grundy table kayles -n 10^9 -o kayles.npy --resume    goes on after Ctrl-C or a crash

Long runs: an .npy file is written while the table is made, as FILE.u1.part with a manifest FILE.json
that holds a checksum for each block. Whatever stops the program, what the manifest speaks of is safe:
--resume checks it and goes on. The finished file is renamed to FILE, and numpy can map it.";

/// `grundy table`
#[derive(Args, Debug)]
pub(crate) struct Table {
    #[command(flatten)]
    pub(crate) rule: RuleArgs,
    /// The last heap: the table covers 0..N, both ends in; `A,B` for a grid
    #[arg(short = 'n', long = "heaps", value_name = "N", value_parser = units::numbers, default_value = "100")]
    pub(crate) heaps: units::Numbers,
    /// How to write the values [default: by the ending of FILE (.npy, .csv, .json), else text]
    #[arg(short, long, value_name = "FORMAT", value_parser = named(&Format::ALL, Format::name))]
    pub(crate) format: Option<Format>,
    /// Write to a file instead of standard output
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// The kind of heap, for rules with several
    #[arg(long, value_name = "NAME")]
    pub(crate) kind: Option<String>,
    /// Another look at the values, for the eye (format text only)
    #[arg(long, value_name = "VIEW", value_parser = named(&View::ALL, View::name))]
    pub(crate) view: Option<View>,
    /// Columns of the text table (a period shows when it divides the width)
    #[arg(short, long, alias = "columns", value_name = "COLUMNS", value_parser = units::width)]
    pub(crate) width: Option<usize>,
    /// Fill the table with this engine instead of the best one
    #[arg(long, value_name = "NAME", value_parser = named(&EngineName::ALL, EngineName::name))]
    pub(crate) engine: Option<EngineName>,
    /// Take-and-break: do not check the values found first, and say that they are observed, not proved
    #[arg(long)]
    pub(crate) candidates: bool,
    /// Threads that may work; as many as the machine has if not said
    #[arg(long, value_name = "COUNT", value_parser = units::positive)]
    pub(crate) threads: Option<u64>,
    /// Go on with the .npy file of a run that was stopped, or make a finished one longer
    #[arg(long, requires = "output")]
    pub(crate) resume: bool,
    /// With --resume: throw the first damaged block and all after it away, and compute them again
    #[arg(long, requires = "resume")]
    pub(crate) repair: bool,
    /// Heaps in a block of the .npy file, the most that a crash can lose (less if they take over ten seconds)
    #[arg(long, value_name = "HEAPS", value_parser = units::positive, requires = "output")]
    pub(crate) block: Option<u64>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    pub(crate) json: bool,
}

const VALUE_EXAMPLES: &str = "\
Examples:
  grundy value kayles 12 100 1000000
  grundy value blackboard k=3 10^18
  grundy value wythoff '(3, 8)'";

/// `grundy value`
#[derive(Args, Debug)]
pub(crate) struct Value {
    #[command(flatten)]
    pub(crate) rule: RuleArgs,
    /// For heaps beyond a table, believe a law that is only observed
    #[arg(long)]
    pub(crate) trust_observed: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) json: JsonArg,
}

const LAW_EXAMPLES: &str = "\
Examples:
  grundy law kayles
  grundy law mock-turtles --latex
  grundy law 'n -> n - t where t in {1, 3, 4}' --json
  grundy law 'n -> n - t where t in 1..k' k=1..12      a family of rules: its law in k
  grundy law kayles | grundy test 0.77 - -n 10^6     a law prints in the notation in which it is read

The table begins with 2000 values and doubles while no law is stable, for at most 10 s if --time does not say.
Exit status: 0 a law was found, 1 none was found, 2 bad input, or a limit that was set ended the search before there was one.";

/// `grundy law`
#[derive(Args, Debug)]
pub(crate) struct Law {
    #[command(flatten)]
    pub(crate) rule: RuleArgs,
    /// The last heap to look at; `A,B` for a grid [default: as far as the time allows, a million at most]
    #[arg(short = 'n', long = "heaps", value_name = "N", value_parser = units::numbers)]
    pub(crate) heaps: Option<units::Numbers>,
    /// The kind of heap, for rules with several
    #[arg(long, value_name = "NAME")]
    pub(crate) kind: Option<String>,
    /// Do not look for a proof
    #[arg(long)]
    pub(crate) no_proof: bool,
    /// Print the law as LaTeX (needs amsmath)
    #[arg(long)]
    pub(crate) latex: bool,
    /// Print the automaton of the law as a drawing for Graphviz
    #[arg(long, conflicts_with = "latex")]
    pub(crate) dot: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    /// Print one JSON object
    #[arg(long, conflicts_with_all = ["latex", "dot"])]
    pub(crate) json: bool,
}

const EMIT_EXAMPLES: &str = "\
Examples:
  grundy emit kayles --lang cpp > kayles.cpp && g++ -O2 kayles.cpp && echo 5 7 12 | ./a.out
  grundy emit blackboard k=3 --lang python
  grundy emit 'n -> n - t where t in 1..3' --lang rust --law 'n mod 4'

The program reads the heaps of a position, up to 10^18 each, and prints `first` or `second`: who wins. With --values it
prints the nimber of each heap. Its head says the law and how well it is known.
Exit status: 0 written, 1 no law is known or the one given is false, 2 bad input or a limit reached.";

/// `grundy emit`
#[derive(Args, Debug)]
pub(crate) struct Emit {
    #[command(flatten)]
    pub(crate) rule: RuleArgs,
    /// The language: cpp (or c++), rust (rs), python (py)
    #[arg(long, value_name = "LANGUAGE", value_parser = language)]
    pub(crate) lang: Language,
    /// The law, as for `test` [default: the one that `law` finds]
    #[arg(long, value_name = "LAW", allow_hyphen_values = true)]
    pub(crate) law: Option<String>,
    /// How far a given law is tested first
    #[arg(short = 'n', long = "heaps", value_name = "N", value_parser = units::number, default_value = "2000")]
    pub(crate) heaps: u64,
    /// The kind of heap, for rules with several
    #[arg(long, value_name = "NAME")]
    pub(crate) kind: Option<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) json: JsonArg,
}

const TEST_EXAMPLES: &str = "\
Examples:
  grundy test 'n -> n - t where t in 1..3' 'g(n) = n mod 4' -n 100000
  grundy test lasker-nim 'n for not 4 divides n'     a formula alone is the right side of g(n) =
  grundy test blackboard k=3 'g(0..) = 0, 0' 'g(a*k + 1) = g(a) for a >= 1' 'g(a*k + b) = a*(k-1) + b-1 for 2 <= b <= k'
  grundy test kayles believed.law                    clauses from a file; `-` is standard input
  grundy test kayles                                 the law that the game file cites

Exit status: 0 it holds, 1 it does not, 2 it could not be read or a limit was reached.";

const LAW_HELP: &str = "\
The parameters of the rule (k=3), then LAW:
  'g(n) = n mod 4'                  clauses, in one argument or several; the first that speaks about n decides
  'n mod 4'                         a formula for g(n)
  'g(a, b) = a xor b'               a law about heaps of two entries; `-n 50,50` says how far
  believed.law                      a file whose name ends in .law; `-` is standard input
  my.game                           the law that a game file states
Without LAW the law of RULE's own game file is tested.";

/// `grundy test`
#[derive(Args, Debug, Clone)]
pub(crate) struct Test {
    /// The game: rule text, a .game file, a name in the catalogue, or a code
    #[arg(value_name = "RULE", long_help = RULE_HELP)]
    pub(crate) rule: String,
    /// Parameters as NAME=VALUE, then the law
    #[arg(value_name = "NAME=VALUE|LAW", long_help = LAW_HELP)]
    pub(crate) rest: Vec<String>,
    /// The last heap to compare; `A,B` for a law about tuples [default: 2000, or 100,100, or 20,20,20]
    #[arg(short = 'n', long = "heaps", value_name = "N", value_parser = units::numbers)]
    pub(crate) heaps: Option<units::Numbers>,
    /// The kind of heap, for rules with several
    #[arg(long, value_name = "NAME")]
    pub(crate) kind: Option<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) json: JsonArg,
}

const SURVEY_EXAMPLES: &str = "\
Examples:
  grundy survey --codes 0.hh --prove       all hexadecimal codes of two digits
  grundy survey --codes 0.ooo -n 5000      all octal codes of three digits, laws only

`h` stands for each hexadecimal digit, `o` for each octal one.";

/// `grundy survey`
#[derive(Args, Debug)]
pub(crate) struct Survey {
    /// The codes: a pattern such as 0.hh
    #[arg(long, value_name = "PATTERN")]
    pub(crate) codes: String,
    /// Ask for a proof of each law found
    #[arg(long)]
    pub(crate) prove: bool,
    /// The last heap to tabulate
    #[arg(short = 'n', long = "heaps", value_name = "N", value_parser = units::number, default_value = "3000")]
    pub(crate) heaps: u64,
    /// Give up on a code after this long
    #[arg(long, value_name = "TIME", value_parser = units::duration, default_value = "2m")]
    pub(crate) each: Duration,
    /// Count automata of at most this many states apart
    #[arg(long = "states", value_name = "N", default_value = "130")]
    pub(crate) most: usize,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) json: JsonArg,
}

const PROVE_EXAMPLES: &str = "\
Examples:
  grundy prove kayles -o kayles.json       the law that the game file cites
  grundy prove 'S(2,5,7)'                  a law is found where none is cited
  grundy prove blackboard                  for every k at once
  grundy prove 'n -> n - t where t in 1..3' --law 'n mod 4'
  grundy prove kayles --by automatic       without the theorem of Guy and Smith
  grundy prove ring-kayles --kind row      one kind of heap of several
The certificate names its proof rule; `grundy-check FILE` checks it without trusting this program.
Exit status: 0 proved, 1 the law is false, 2 no proof rule fits or a limit was reached.";

/// `grundy prove`
#[derive(Args, Debug)]
pub(crate) struct Prove {
    /// The game: rule text, a .game file, a name in the catalogue, or a code
    #[arg(value_name = "RULE", long_help = RULE_HELP)]
    pub(crate) rule: String,
    /// Parameters as NAME=VALUE; one without a value is meant for every value
    #[arg(value_name = "NAME=VALUE")]
    pub(crate) rest: Vec<String>,
    /// The law: clauses, a formula for g(n), or a file that ends in .law; may be given several times, a clause each
    #[arg(long, value_name = "LAW")]
    pub(crate) law: Vec<String>,
    /// The kind of heap that the law is about, for rules with several
    #[arg(long, value_name = "NAME")]
    pub(crate) kind: Option<String>,
    /// Try this proof rule only
    #[arg(long, value_name = "NAME", value_parser = named(&By::ALL, By::name))]
    pub(crate) by: Option<By>,
    /// Write the certificate to a file
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub(crate) output: Option<PathBuf>,
    /// Write a proof by automata to a folder, for Walnut to prove once more
    #[arg(long, value_name = "FOLDER", value_hint = ValueHint::DirPath)]
    pub(crate) walnut: Option<PathBuf>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) json: JsonArg,
}

/// How a position is played, beyond what the rule's header says.
#[derive(Args, Debug)]
pub(crate) struct PlayArgs {
    /// Whoever makes the last move loses
    #[arg(long)]
    pub(crate) misere: bool,
    /// Play may go on for ever, and is then a draw
    #[arg(long)]
    pub(crate) loopy: bool,
    /// Who moves first where the players have different moves (`left:`, `right:`); left unless said
    #[arg(long, value_name = "PLAYER", value_parser = player)]
    pub(crate) to_move: Option<Player>,
}

fn player(text: &str) -> Result<Player, String> {
    let named =
        [Player::Left, Player::Right].into_iter().find(|player| player.word().eq_ignore_ascii_case(text));
    named.ok_or_else(|| "the players are `left` and `right`".to_string())
}

const MOVES_EXAMPLES: &str = "\
Examples:
  grundy moves kayles 5 7 12
  grundy moves kayles 3x5 7 --first        one winning move is enough
  grundy moves nim 1 1 2 --misere          who takes the last one loses
  grundy moves mock-turtles 3 7 9 --json";

/// `grundy moves`
#[derive(Args, Debug)]
pub(crate) struct Moves {
    #[command(flatten)]
    pub(crate) rule: RuleArgs,
    #[command(flatten)]
    pub(crate) play: PlayArgs,
    /// Stop at the first winning move
    #[arg(long)]
    pub(crate) first: bool,
    /// List every way to make a move, with the values of the rule's variables
    #[arg(long)]
    pub(crate) assignments: bool,
    /// For heaps beyond a table, believe a law that is only observed
    #[arg(long)]
    pub(crate) trust_observed: bool,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) json: JsonArg,
}

const OUTCOME_EXAMPLES: &str = "\
Examples:
  grundy outcome sos 1..34                 a line for each size
  grundy outcome sos ..S.O.                a board in mid-game
  grundy outcome melon 20 3
  grundy outcome cram 4 5
  grundy outcome node-kayles 'queens 8'
  grundy outcome node-kayles a-b b-c c-a   a graph; also @FILE with edges or DOT
  grundy outcome kayles 5 7 12

Games with a solver of their own are listed by `grundy games outcome`.";

/// `grundy outcome`
#[derive(Args, Debug)]
pub(crate) struct Outcome {
    /// A game with a solver of its own (`sos`, `cram`, ...), or a RULE as for `moves`
    #[arg(value_name = "GAME")]
    pub(crate) game: String,
    /// Parameters, then the position
    #[arg(value_name = "POSITION", allow_negative_numbers = true)]
    pub(crate) rest: Vec<String>,
    #[command(flatten)]
    pub(crate) play: PlayArgs,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) json: JsonArg,
}

const IDENTIFY_EXAMPLES: &str = "\
Examples:
  grundy identify 0 1 2 3 1 4 3 2 1 4 2 6
  grundy identify 0,1,2,0,1,2,3,4,5
  grundy identify 0.45                     the values of a rule: which games are the same?
  grundy identify - < values.txt

Searched: the catalogue, take-and-break codes of up to three octal digits, subtraction sets within 1..12, ranges within
1..30, and all but a set within 1..8; moved by up to four heaps. What is found is observed, not proved.
Exit status: 0 found, 1 nothing found, 2 bad input or a limit reached.";

/// `grundy identify`
#[derive(Args, Debug)]
pub(crate) struct Identify {
    /// The values of heaps 0, 1, 2, ... (`-` reads them from standard input), or a RULE with its parameters
    #[arg(value_name = "VALUE|RULE", required = true, allow_negative_numbers = true)]
    pub(crate) words: Vec<String>,
    /// For a RULE: the last heap to compare
    #[arg(short = 'n', long = "heaps", value_name = "N", value_parser = units::number, default_value = "200")]
    pub(crate) heaps: u64,
    /// For a RULE with several kinds of heap: the kind
    #[arg(long, value_name = "NAME")]
    pub(crate) kind: Option<String>,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
    #[command(flatten)]
    pub(crate) json: JsonArg,
}

const SOLVE_EXAMPLES: &str = "\
Examples:
  grundy solve 51nod-1661 < input.txt
  grundy solve my.problem < input.txt      a problem file of your own
  grundy problems                          the ids that are known";

/// `grundy solve`
#[derive(Args, Debug)]
pub(crate) struct Solve {
    /// The id of a problem, or a file whose name ends in .problem
    #[arg(value_name = "PROBLEM", value_hint = ValueHint::FilePath)]
    pub(crate) problem: String,
    #[command(flatten)]
    pub(crate) json: JsonArg,
    #[command(flatten)]
    pub(crate) limits: LimitArgs,
}

/// `grundy games`
#[derive(Args, Debug)]
pub(crate) struct Games {
    /// Only games whose name or text holds this
    #[arg(value_name = "WORD")]
    pub(crate) word: Option<String>,
    #[command(flatten)]
    pub(crate) json: JsonArg,
}

/// `grundy problems`
#[derive(Args, Debug)]
pub(crate) struct Problems {
    /// Only problems whose id or text holds this
    #[arg(value_name = "WORD")]
    pub(crate) word: Option<String>,
    #[command(flatten)]
    pub(crate) json: JsonArg,
}

/// `grundy completions`
#[derive(Args, Debug)]
pub(crate) struct Completions {
    /// The shell
    #[arg(value_enum)]
    pub(crate) shell: clap_complete::Shell,
}

/// A rule, its parameters and a position.
#[derive(Args, Debug)]
pub(crate) struct RuleArgs {
    /// The game: rule text, a .game file, a name in the catalogue, or a code
    #[arg(value_name = "RULE", long_help = RULE_HELP)]
    pub(crate) rule: String,
    /// Parameters as NAME=VALUE, then the position
    #[arg(value_name = "NAME=VALUE|HEAP", allow_negative_numbers = true)]
    pub(crate) rest: Vec<String>,
}

/// Bounds on long work.
#[derive(Args, Debug, Clone)]
pub(crate) struct LimitArgs {
    /// Stop after this long: 500ms, 10s, 2m, 1h
    #[arg(long, value_name = "TIME", value_parser = units::duration)]
    pub(crate) time: Option<Duration>,
    /// Use at most this much memory: 512M, 4G
    #[arg(long, value_name = "SIZE", value_parser = units::bytes)]
    pub(crate) memory: Option<u64>,
}

/// `--json`
#[derive(Args, Debug, Clone)]
pub(crate) struct JsonArg {
    /// Print one JSON object
    #[arg(long)]
    pub(crate) json: bool,
}

#[cfg(test)]
mod tests {
    use super::Cli;

    #[test]
    fn the_table_of_arguments_is_consistent() {
        use clap::CommandFactory;
        Cli::command().debug_assert();
    }
}

//! The subcommands, one file each.

mod emit;
mod games;
mod identify;
mod law;
mod moves;
mod outcome;
mod problems;
mod prove;
mod shell;
mod show;
mod solve;
mod study;
mod survey;
mod table;
mod test;
mod value;

use crate::args::Command;
use crate::failure::Failure;

/// Runs what was typed.
pub(crate) fn run(command: &Command) -> Result<(), Failure> {
    match command {
        Command::Study(args) => study::run(args),
        Command::Show(args) => show::run(args),
        Command::Table(args) => table::run(args),
        Command::Value(args) => value::run(args),
        Command::Law(args) => law::run(args),
        Command::Test(args) => test::run(args),
        Command::Prove(args) => prove::run(args),
        Command::Moves(args) => moves::run(args),
        Command::Outcome(args) => outcome::run(args),
        Command::Emit(args) => emit::run(args),
        Command::Identify(args) => identify::run(args),
        Command::Survey(args) => survey::run(args),
        Command::Solve(args) => solve::run(args),
        Command::Games(args) => games::run(args),
        Command::Problems(args) => problems::run(args),
        Command::Completions(args) => shell::completions(args),
        Command::Man => shell::man(),
    }
}

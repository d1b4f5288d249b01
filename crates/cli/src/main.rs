//! The program `grundy`.
//!
//! `main` reads the arguments, runs one subcommand and turns its result into an exit status: 0 answered, 1 the
//! answer is no, 2 bad input or a limit reached. Data goes to standard output, everything else to standard
//! error. All thinking is done in the library; this crate asks and prints.

mod args;
mod command;
mod failure;
mod far;
mod law_source;
mod load;
mod long;
mod output;
mod render;
mod report;
mod units;
mod wire;

use std::process::ExitCode;

use clap::Parser;

fn main() -> ExitCode {
    match command::run(&args::Cli::parse().command) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            render::failure(&failure);
            ExitCode::from(failure.status())
        }
    }
}

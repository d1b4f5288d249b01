//! `grundy completions` and `grundy man`: what a shell and `man` want to know, made from the table of arguments.

use clap::CommandFactory;

use crate::args::{Cli, Completions};
use crate::failure::Failure;
use crate::output;

/// `grundy completions SHELL`
pub(crate) fn completions(args: &Completions) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "grundy", &mut script);
    output::data(|out| Ok(out.write_all(&script)?))
}

/// `grundy man`: one page, with a section for each subcommand.
pub(crate) fn man() -> Result<(), Failure> {
    let mut program = Cli::command();
    program.build();
    let page = clap_mangen::Man::new(program.clone());
    let mut text = Vec::new();
    page.render(&mut text)?;
    for sub in program.get_subcommands().filter(|sub| !sub.is_hide_set()) {
        let title = format!("grundy {}", sub.get_name());
        let part = clap_mangen::Man::new(sub.clone());
        text.extend_from_slice(format!(".SH {}\n", title.to_uppercase()).as_bytes());
        part.render_description_section(&mut text)?;
        part.render_options_section(&mut text)?;
    }
    output::data(|out| Ok(out.write_all(&text)?))
}

//! The form of a text: how wide, which characters, colours or none.

use std::ffi::OsString;

/// How a text is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Form {
    /// Columns of a line of a report.
    pub width: usize,
    /// Columns that there are: a line that is drawn again has fewer.
    pub columns: usize,
    /// Which characters may be used.
    pub charset: Charset,
    /// Whether signs have colours beside their words.
    pub colour: Colour,
    /// What it is written to.
    pub surface: Surface,
}

/// Which characters may be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Charset {
    /// All.
    Unicode,
    /// Those of ASCII.
    Ascii,
}

/// Whether signs have colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Colour {
    /// They have.
    Coloured,
    /// None.
    Plain,
}

/// What a text is written to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Surface {
    /// A terminal, where a line can be drawn again.
    Terminal,
    /// A file, a pipe, or a terminal that takes nothing away again.
    File,
}

/// Columns of a line where nobody says, and the fewest of a report.
const WIDTH: usize = 80;
/// A line of more is hard to read.
const WIDTH_MAX: usize = 160;

impl Default for Form {
    /// What every file and every terminal can show.
    fn default() -> Self {
        Self {
            width: WIDTH,
            columns: WIDTH,
            charset: Charset::Ascii,
            colour: Colour::Plain,
            surface: Surface::File,
        }
    }
}

impl Form {
    /// The form that fits the surroundings: `columns` of the terminal (`None` where the text goes
    /// elsewhere; 0 where a terminal does not know), and the variables of the environment.
    pub fn of_environment(columns: Option<u16>, lookup: &dyn Fn(&str) -> Option<OsString>) -> Self {
        let text = |name: &str| {
            let value = lookup(name)?.to_string_lossy().into_owned();
            (!value.is_empty()).then_some(value)
        };
        let dumb = text("TERM").is_none_or(|term| term == "dumb");
        let terminal = columns.is_some();
        // The first that is set decides, as for all programs.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find_map(text);
        let unicode = locale.is_some_and(|locale| {
            let locale = locale.to_ascii_lowercase();
            locale.contains("utf-8") || locale.contains("utf8")
        });
        let columns = match columns {
            None | Some(0) => WIDTH,
            Some(columns) => usize::from(columns),
        };
        Self {
            // A narrower terminal breaks the lines itself.
            width: columns.clamp(WIDTH, WIDTH_MAX),
            columns,
            // Without a terminal TERM says nothing of who reads.
            charset: if unicode && !(terminal && dumb) {
                Charset::Unicode
            } else {
                Charset::Ascii
            },
            colour: if terminal && !dumb && text("NO_COLOR").is_none() {
                Colour::Coloured
            } else {
                Colour::Plain
            },
            surface: if terminal && !dumb {
                Surface::Terminal
            } else {
                Surface::File
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Charset, Colour, Form, Surface};

    fn form(columns: Option<u16>, variables: &[(&str, &str)]) -> Form {
        Form::of_environment(columns, &|name| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| (*value).into())
        })
    }

    #[test]
    fn a_pipe_has_80_columns_and_no_colour() {
        let form = form(None, &[("LANG", "de_DE.UTF-8"), ("TERM", "xterm")]);
        assert_eq!((form.width, form.surface), (80, Surface::File));
        assert_eq!(
            (form.charset, form.colour),
            (Charset::Unicode, Colour::Plain)
        );
    }

    #[test]
    fn terminals_have_their_width_within_reason() {
        for (columns, width) in [(0, 80), (40, 80), (100, 100), (500, 160)] {
            assert_eq!(form(Some(columns), &[]).width, width);
        }
        for (columns, there) in [(0, 80), (40, 40), (500, 500)] {
            assert_eq!(form(Some(columns), &[]).columns, there);
        }
    }

    #[test]
    fn locales_and_terminals_limit_the_characters() {
        let charset = |variables: &[(&str, &str)]| form(Some(80), variables).charset;
        let term = ("TERM", "xterm");
        assert_eq!(charset(&[term, ("LANG", "C.UTF-8")]), Charset::Unicode);
        assert_eq!(charset(&[term, ("LANG", "en_US.utf8")]), Charset::Unicode);
        assert_eq!(charset(&[term, ("LANG", "C")]), Charset::Ascii);
        assert_eq!(charset(&[term]), Charset::Ascii);
        let overridden = [term, ("LANG", "C.UTF-8"), ("LC_ALL", "C")];
        assert_eq!(charset(&overridden), Charset::Ascii);
        let empty = [term, ("LANG", "C.UTF-8"), ("LC_ALL", "")];
        assert_eq!(charset(&empty), Charset::Unicode);
        assert_eq!(
            charset(&[("TERM", "dumb"), ("LANG", "C.UTF-8")]),
            Charset::Ascii
        );
    }

    #[test]
    fn nothing_is_drawn_again_where_it_would_stay() {
        let surface = |columns, term: &str| form(columns, &[("TERM", term)]).surface;
        assert_eq!(surface(Some(80), "xterm"), Surface::Terminal);
        assert_eq!(surface(Some(80), "dumb"), Surface::File);
        assert_eq!(surface(None, "xterm"), Surface::File);
        assert_eq!(form(Some(80), &[]).surface, Surface::File);
    }

    #[test]
    fn colours_can_be_refused() {
        let colour = |variables: &[(&str, &str)]| form(Some(80), variables).colour;
        let term = ("TERM", "xterm");
        assert_eq!(colour(&[term]), Colour::Coloured);
        assert_eq!(colour(&[term, ("NO_COLOR", "")]), Colour::Coloured);
        assert_eq!(colour(&[term, ("NO_COLOR", "1")]), Colour::Plain);
        assert_eq!(colour(&[("TERM", "dumb")]), Colour::Plain);
        assert_eq!(colour(&[]), Colour::Plain);
    }
}

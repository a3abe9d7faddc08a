//! The terminal behind a standard stream.

use rustix::{stdio, termios};

use super::super::Stream;

/// Columns of the terminal that a stream goes to, 0 if it does not know; `None` if the stream goes
/// elsewhere.
pub fn terminal_columns(stream: Stream) -> Option<u16> {
    let stream = match stream {
        Stream::Output => stdio::stdout(),
        Stream::Error => stdio::stderr(),
    };
    let size = termios::tcgetwinsize(stream).ok()?;
    Some(size.ws_col)
}

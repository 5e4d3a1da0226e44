//! An answer that is read piece by piece: a download, however long it is.
//!
//! Owns: its limits of time (none for the whole, one from piece to piece), and that an answer which breaks off is an error
//! and never an end. Must not: keep what it has read.

use super::{Answer, Broken, CONNECT, Call, Http, Limits, answer_of};
use crate::zvm::error::ZvmError;
use crate::zvm::tls::request_was_sent;
use std::io::{self, Read};
use std::time::Duration;
use ureq::BodyReader;
use ureq::http::header;

/// How long the first byte may take: a ZVM may have to pack what it sends.
const HEAD: Duration = Duration::from_secs(300);

/// How long the next byte may take.
const STALL: Duration = Duration::from_secs(60);

/// What came back.
pub(in crate::zvm) enum Opened {
    /// A success, whose body is still to come.
    Stream(Stream),
    /// Another status, and its whole body.
    Answer(Answer),
}

/// A body on its way.
pub(in crate::zvm) struct Stream {
    reader: BodyReader<'static>,
    length: Option<u64>,
    read: u64,
    stall: Duration,
}

impl Http {
    /// One exchange whose answer is read by the caller. The deadline does not count for it: how long a download takes is
    /// up to the file.
    pub fn open(&self, call: &Call) -> Result<Opened, Broken> {
        let head = HEAD.min(self.patience);
        let (result, sent) = request_was_sent(|| {
            let limits = Limits {
                whole: None,
                connect: Some(CONNECT.min(self.patience)),
                head: Some(head),
                stall: Some(STALL.min(self.patience)),
                // One from the pool that is just closing would look like a download that failed.
                fresh: true,
            };
            let mut response = self.send(call, &limits)?;
            if !response.status().is_success() {
                return answer_of(&mut response, call.limit).map(Opened::Answer);
            }
            let length =
                response.headers().get(header::CONTENT_LENGTH).and_then(|v| v.to_str().ok()?.trim().parse().ok());
            let stall = STALL.min(self.patience);
            Ok(Opened::Stream(Stream { reader: response.into_body().into_reader(), length, read: 0, stall }))
        });
        result.map_err(|error| self.broken(call, &error, head, sent))
    }

    /// What is said when a stream breaks off.
    pub fn stream_broke(&self, trying: &str, error: io::Error, stream: &Stream) -> ZvmError {
        let mut broke = self.failed(trying, &ureq::Error::from(error), stream.stall);
        let whole = stream.length.map(|length| format!(" of {length}")).unwrap_or_default();
        broke.message.push_str(&format!(" It broke off after {}{whole} bytes.", stream.read));
        broke
    }
}

impl Stream {
    /// How long it will be, where the answer says so.
    pub fn length(&self) -> Option<u64> {
        self.length
    }
}

impl Read for Stream {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.read = self.read.saturating_add(u64::try_from(count).unwrap_or(u64::MAX));
        if count == 0 && !buffer.is_empty() && self.length.is_some_and(|length| self.read < length) {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(count)
    }
}

//! Which limit of time counts for which part of an answer.

use super::*;
use std::time::Duration as Span;

#[derive(Debug, Default)]
struct Probe {
    seen: Vec<Option<Duration>>,
    buffers: Option<LazyBuffers>,
}

impl Transport for Probe {
    fn buffers(&mut self) -> &mut dyn Buffers {
        self.buffers.get_or_insert_with(|| LazyBuffers::new(1, 1))
    }

    fn transmit_output(&mut self, _amount: usize, _timeout: NextTimeout) -> Result<(), Error> {
        Ok(())
    }

    fn await_input(&mut self, timeout: NextTimeout) -> Result<bool, Error> {
        self.seen.push(timeout.per_read);
        Ok(true)
    }

    fn is_open(&mut self) -> bool {
        true
    }
}

#[test]
fn the_limit_from_piece_to_piece_begins_with_the_body() {
    let mut transport = WatchTransport { inner: Probe::default(), counts: true };
    let stall = Some(Duration::from(Span::from_secs(60)));
    for reason in [Timeout::RecvResponse, Timeout::RecvBody, Timeout::Global] {
        let after = Duration::from(Span::from_secs(300));
        transport.await_input(NextTimeout { after, reason, per_read: stall, per_write: None }).unwrap();
    }
    assert_eq!(transport.inner.seen, [None, stall, stall]);
}

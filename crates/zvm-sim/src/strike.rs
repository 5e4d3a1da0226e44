//! Carries out faults: what a request gets in place of its answer, or what becomes of that answer.
//!
//! Owns the doing; which fault strikes is chosen in `faults`.

use std::convert::Infallible;
use std::future::pending;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderValue, Response, StatusCode, header};
use http_body_util::BodyExt as _;
use hyper::body::Frame;
use tokio::sync::mpsc;

use crate::faults::Fault;
use crate::json::{ApiError, body};
use crate::wire::Switch;

/// From the last byte that shall arrive to the cut: the bytes have to be on their way.
const BEFORE_CUT: Duration = Duration::from_millis(30);

/// How much of an endless body is sent at a time.
const CHUNK: usize = 16 * 1024;

pub(crate) type Answer = Response<Body>;

/// Whether the request is to be processed although that fault strikes it.
pub(crate) fn processes(fault: &Fault) -> bool {
    matches!(
        fault,
        Fault::ResetAfterProcessing
            | Fault::ResetMidBody
            | Fault::Truncated
            | Fault::ResetAfter(_)
            | Fault::StallAfter(_)
            | Fault::Shortened(_)
            | Fault::SlowDrip { .. }
            | Fault::AfterProcessing(_)
            | Fault::Delay(_)
    )
}

/// Makes what the client gets. `real` is the answer if the request was processed.
pub(crate) async fn carry_out(fault: Fault, real: Option<Answer>, switch: &Arc<Switch>) -> Answer {
    match fault {
        Fault::Hang => pending().await,
        Fault::GoDown => {
            switch.go_down();
            pending().await
        }
        Fault::ResetBefore | Fault::ResetAfterProcessing => {
            switch.cut(true);
            pending().await
        }
        Fault::ResetMidBody => half(real, switch, true).await,
        Fault::Truncated => half(real, switch, false).await,
        Fault::ResetAfter(bytes) => some(real, switch, bytes, Then::Reset),
        Fault::StallAfter(bytes) => some(real, switch, bytes, Then::Stall),
        Fault::Shortened(bytes) => some(real, switch, bytes, Then::End),
        Fault::SlowDrip { bytes, every } => drip(real, bytes, every),
        Fault::AfterProcessing(fault) => Box::pin(carry_out(*fault, real, switch)).await,
        Fault::Delay(d) => {
            tokio::time::sleep(d).await;
            real.unwrap_or_default()
        }
        Fault::Empty => with_type(StatusCode::OK, "application/json; charset=utf-8", String::new()),
        Fault::Status(status, text) => plain(status, text),
        Fault::StatusWithRetryAfter(status, secs) => {
            let mut answer = plain(status, "{\"Message\":\"Try again later.\"}".to_owned());
            answer.headers_mut().insert(header::RETRY_AFTER, HeaderValue::from(secs));
            answer
        }
        Fault::StatusWithRetryAfterText(status, text) => {
            let mut answer = plain(status, "{\"Message\":\"Try again later.\"}".to_owned());
            if let Ok(text) = HeaderValue::from_str(&text) {
                answer.headers_mut().insert(header::RETRY_AFTER, text);
            }
            answer
        }
        Fault::Html => {
            let page = "<!DOCTYPE html><html><head><title>Portal</title></head><body><h1>Sign in</h1></body></html>";
            with_type(StatusCode::OK, "text/html; charset=utf-8", page.to_owned())
        }
        Fault::WrongType => body(StatusCode::OK, &serde_json::json!(42)),
        Fault::DeepJson(depth) => {
            let text = format!("{}{}", "[".repeat(depth), "]".repeat(depth));
            with_type(StatusCode::OK, "application/json; charset=utf-8", text)
        }
        Fault::HugeJson(bytes) => huge(bytes),
        Fault::Redirect(to) => redirect(307, &to),
        Fault::RedirectWith(status, to) => redirect(status, &to),
        Fault::Unauthorized => crate::routes::unauthorized(),
    }
}

fn with_type(status: StatusCode, kind: &'static str, text: String) -> Answer {
    let mut answer = Response::new(Body::from(text));
    *answer.status_mut() = status;
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}

fn plain(status: u16, text: String) -> Answer {
    let is_json = serde_json::from_str::<serde_json::Value>(&text).is_ok();
    let kind = if is_json { "application/json; charset=utf-8" } else { "text/plain; charset=utf-8" };
    with_type(StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR), kind, text)
}

fn redirect(status: u16, to: &str) -> Answer {
    let Ok(to) = HeaderValue::from_str(to) else {
        let error = ApiError::new(500, "The location of this redirect can't be a header.");
        return axum::response::IntoResponse::into_response(error);
    };
    let mut answer = plain(status, String::new());
    answer.headers_mut().insert(header::LOCATION, to);
    answer
}

/// A real answer's body, whole.
async fn whole(real: Option<Answer>) -> (axum::http::response::Parts, Bytes) {
    let (parts, body) = real.unwrap_or_default().into_parts();
    let bytes = body.collect().await.map(http_body_util::Collected::to_bytes).unwrap_or_default();
    (parts, bytes)
}

/// What follows the last byte that arrives.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    Reset,
    Close,
    Stall,
    /// As if there had been no more.
    End,
}

/// Half of the body that `Content-Length` promises (one byte at least is missing), and then the cut.
async fn half(real: Option<Answer>, switch: &Arc<Switch>, reset: bool) -> Answer {
    let real = real.unwrap_or_default();
    let then = if reset { Then::Reset } else { Then::Close };
    if let Some(length) = real.body().size_hint().exact() {
        return some(Some(real), switch, length / 2, then);
    }
    let (parts, bytes) = whole(Some(real)).await;
    let length = u64::try_from(bytes.len()).unwrap_or(0);
    some(Some(Response::from_parts(parts, Body::from(bytes))), switch, length / 2, then)
}

/// The first so many bytes of the body, as they come.
fn some(real: Option<Answer>, switch: &Arc<Switch>, bytes: u64, then: Then) -> Answer {
    let (mut parts, mut body) = real.unwrap_or_default().into_parts();
    let length = body.size_hint().exact();
    let promised = if then == Then::End { length.map(|l| l.min(bytes)) } else { length.map(|l| l.max(1)) };
    match promised {
        Some(length) => drop(parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length))),
        None => drop(parts.headers.remove(header::CONTENT_LENGTH)),
    }
    let (feed, fed_body) = fed();
    let switch = Arc::clone(switch);
    tokio::spawn(async move {
        let mut left = bytes;
        while left > 0 {
            let Some(Ok(frame)) = body.frame().await else { break };
            let Ok(mut data) = frame.into_data() else { continue };
            let take = usize::try_from(left).unwrap_or(usize::MAX).min(data.len());
            left = left.saturating_sub(u64::try_from(take).unwrap_or(u64::MAX));
            if feed.send(data.split_to(take)).await.is_err() {
                return;
            }
        }
        match then {
            Then::End => {}
            Then::Stall => feed.closed().await,
            Then::Reset | Then::Close => {
                tokio::time::sleep(BEFORE_CUT).await;
                switch.cut(then == Then::Reset);
                // Held until the connection is gone: a body that ends would get its last, empty chunk, and be whole.
                feed.closed().await;
            }
        }
    });
    Response::from_parts(parts, fed_body)
}

fn drip(real: Option<Answer>, at_a_time: usize, every: Duration) -> Answer {
    let (mut parts, mut body) = real.unwrap_or_default().into_parts();
    if let Some(length) = body.size_hint().exact() {
        parts.headers.insert(header::CONTENT_LENGTH, HeaderValue::from(length));
    }
    let (feed, fed_body) = fed();
    tokio::spawn(async move {
        while let Some(Ok(frame)) = body.frame().await {
            let mut left = frame.into_data().unwrap_or_default();
            while !left.is_empty() {
                tokio::time::sleep(every).await;
                let next = left.split_to(at_a_time.max(1).min(left.len()));
                if feed.send(next).await.is_err() {
                    return;
                }
            }
        }
    });
    Response::from_parts(parts, fed_body)
}

fn huge(bytes: u64) -> Answer {
    let (feed, body) = fed();
    tokio::spawn(async move {
        let item = Bytes::from(format!("\"{}\",", "x".repeat(CHUNK)));
        let mut sent = 0;
        let mut next = Bytes::from_static(b"[");
        // The client may stop reading at any time, and then nobody takes the next piece.
        while feed.send(next).await.is_ok() {
            if sent >= bytes {
                let _ = feed.send(Bytes::from_static(b"\"\"]")).await;
                break;
            }
            next = item.clone();
            sent += u64::try_from(item.len()).unwrap_or(u64::MAX);
        }
    });
    let mut answer = Response::new(body);
    answer.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json; charset=utf-8"));
    answer
}

/// A body that someone else feeds.
struct Fed(mpsc::Receiver<Bytes>);

fn fed() -> (mpsc::Sender<Bytes>, Body) {
    let (feed, receiver) = mpsc::channel(1);
    (feed, Body::new(Fed(receiver)))
}

impl HttpBody for Fed {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        self.0.poll_recv(cx).map(|next| next.map(|bytes| Ok(Frame::data(bytes))))
    }
}

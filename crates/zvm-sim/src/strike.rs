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
            | Fault::SlowDrip { .. }
            | Fault::AfterProcessing(_)
            | Fault::Delay(_)
    )
}

/// Makes what the client gets. `real` is the answer if the request was processed.
pub(crate) async fn carry_out(fault: Fault, real: Option<Answer>, switch: &Arc<Switch>) -> Answer {
    match fault {
        Fault::Hang => pending().await,
        Fault::ResetBefore | Fault::ResetAfterProcessing => {
            switch.cut(true);
            pending().await
        }
        Fault::ResetMidBody => half(real, switch, true).await,
        Fault::Truncated => half(real, switch, false).await,
        Fault::SlowDrip { bytes, every } => drip(real, bytes, every).await,
        Fault::AfterProcessing(fault) => Box::pin(carry_out(*fault, real, switch)).await,
        Fault::Delay(d) => {
            tokio::time::sleep(d).await;
            real.unwrap_or_default()
        }
        Fault::Empty => with_type(
            StatusCode::OK,
            "application/json; charset=utf-8",
            String::new(),
        ),
        Fault::Status(status, text) => plain(status, text),
        Fault::StatusWithRetryAfter(status, secs) => {
            let mut answer = plain(status, "{\"Message\":\"Try again later.\"}".to_owned());
            answer
                .headers_mut()
                .insert(header::RETRY_AFTER, HeaderValue::from(secs));
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
    answer
        .headers_mut()
        .insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    answer
}

fn plain(status: u16, text: String) -> Answer {
    let is_json = serde_json::from_str::<serde_json::Value>(&text).is_ok();
    let kind = if is_json {
        "application/json; charset=utf-8"
    } else {
        "text/plain; charset=utf-8"
    };
    with_type(
        StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR),
        kind,
        text,
    )
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
    // Every body of ours is in memory.
    let bytes = body
        .collect()
        .await
        .map(http_body_util::Collected::to_bytes)
        .unwrap_or_default();
    (parts, bytes)
}

/// Half of the body that `Content-Length` promises (one byte at least is missing), and then the cut.
async fn half(real: Option<Answer>, switch: &Arc<Switch>, reset: bool) -> Answer {
    let (mut parts, bytes) = whole(real).await;
    let promised = bytes.len().max(1);
    parts
        .headers
        .insert(header::CONTENT_LENGTH, HeaderValue::from(promised));
    let (feed, body) = fed();
    let switch = Arc::clone(switch);
    tokio::spawn(async move {
        let _ = feed.send(bytes.slice(..bytes.len() / 2)).await;
        tokio::time::sleep(BEFORE_CUT).await;
        switch.cut(reset);
        // Held until the cut: a body that ends is a matter of its own.
        drop(feed);
    });
    Response::from_parts(parts, body)
}

async fn drip(real: Option<Answer>, at_a_time: usize, every: Duration) -> Answer {
    let (mut parts, bytes) = whole(real).await;
    parts
        .headers
        .insert(header::CONTENT_LENGTH, HeaderValue::from(bytes.len()));
    let (feed, body) = fed();
    tokio::spawn(async move {
        let mut left = bytes;
        while !left.is_empty() {
            tokio::time::sleep(every).await;
            let next = left.split_to(at_a_time.max(1).min(left.len()));
            if feed.send(next).await.is_err() {
                break;
            }
        }
    });
    Response::from_parts(parts, body)
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
    answer.headers_mut().insert(
        header::CONTENT_TYPE,
        HeaderValue::from_static("application/json; charset=utf-8"),
    );
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
        self.0
            .poll_recv(cx)
            .map(|next| next.map(|bytes| Ok(Frame::data(bytes))))
    }
}

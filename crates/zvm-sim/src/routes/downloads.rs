//! `/v1/downloads`: what a link of a file restore leads to.
//!
//! Owns the stream: a file is made as it is sent, and takes no memory.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Path, Request, State as Extract};
use axum::http::{HeaderValue, Response, header};
use hyper::body::{Frame, SizeHint};

use super::{Answer, App};
use crate::content::Content;
use crate::flr::Chosen;
use crate::flr::settings::DownloadForm;
use crate::zip;

type Pieces = Box<dyn Iterator<Item = Bytes> + Send>;

/// `GET /v1/downloads/{id}`. That this is the path is known from a body of 2016 alone.
pub(super) async fn get(Extract(shared): App, Path(id): Path<String>, request: Request) -> Answer {
    let needs_token = shared.state().settings.flr.link_needs_token;
    if needs_token && super::grant(&shared, request.headers()).is_none() {
        return Ok(super::unauthorized());
    }
    let state = shared.state();
    let chosen = state.linked(&id)?;
    let form = state.settings.flr.form;
    let declares = state.settings.flr.declares_length;
    drop(state);
    let (pieces, length, name): (Pieces, Option<u64>, String) = match (single(&chosen), form) {
        (Some((path, content)), DownloadForm::Raw) => {
            (Box::new(content.chunks()), declares.then(|| content.len()), last(&path).to_owned())
        }
        (_, form) => {
            (Box::new(zip::pieces(named(&chosen), form != DownloadForm::StoredZip)), None, "files.zip".to_owned())
        }
    };
    let mut answer = Response::new(Body::new(Stream { pieces, length, sent: 0 }));
    let headers = answer.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static("application/octet-stream"));
    let ascii: String = name.chars().map(|c| if c.is_ascii_graphic() && c != '"' { c } else { '_' }).collect();
    if let Ok(value) = HeaderValue::from_str(&format!("attachment; filename=\"{ascii}\"")) {
        headers.insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(answer)
}

/// The file, where one was chosen and nothing else.
fn single(chosen: &[Chosen]) -> Option<(String, Content)> {
    let [(path, files)] = chosen else { return None };
    let [(file, content)] = files.as_slice() else { return None };
    (file == path).then(|| (file.clone(), content.clone()))
}

/// What a zip calls the files: their paths from what was chosen on.
fn named(chosen: &[Chosen]) -> Vec<(String, Content)> {
    let mut all = Vec::new();
    for (path, files) in chosen {
        let skip = path.len().saturating_sub(last(path).len());
        all.extend(files.iter().filter_map(|(file, content)| Some((file.get(skip..)?.to_owned(), content.clone()))));
    }
    all
}

fn last(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or_default()
}

/// A body whose pieces are made when they are wanted.
struct Stream {
    pieces: Pieces,
    length: Option<u64>,
    sent: u64,
}

impl HttpBody for Stream {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        _: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let next = self.pieces.next();
        if let Some(piece) = &next {
            self.sent += u64::try_from(piece.len()).unwrap_or(0);
        }
        Poll::Ready(next.map(|piece| Ok(Frame::data(piece))))
    }

    fn size_hint(&self) -> SizeHint {
        self.length.map_or_else(SizeHint::default, |all| SizeHint::with_exact(all.saturating_sub(self.sent)))
    }
}

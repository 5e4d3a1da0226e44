//! Programs that convert documents, pictures and sound: what they are given as a file may be a server's address or a program. Pure.

use super::carry;
use crate::classify::effect::{Command, Facts, Report};
use crate::classify::word::Word;

/// Judges one of them. A word that is not known is a file's name.
#[must_use]
pub fn judge(command: &Command, _: &Facts) -> Report {
    let name = carry::name(command);
    let words: Vec<&str> = command.arguments().iter().map(Word::beginning).collect();
    let odd = match name {
        "ffmpeg" | "ffplay" | "ffprobe" => ffmpeg(&words),
        "pandoc" => pandoc(&words),
        "libreoffice" | "soffice" | "localc" | "lowriter" => office(&words),
        _ => pictures(&words),
    };
    let reads = match name {
        "ffprobe" => !words.iter().any(|word| matches!(*word, "-o" | "-report")),
        "identify" => true,
        _ => matches!(words.as_slice(), ["-version" | "--version" | "-h" | "-help" | "--help"]),
    };
    match odd {
        Some(word) => Report::unknown(format!("what `{word}` makes {name} do is not known")),
        None if reads => Report::reads(),
        None => Report::changes("converts files"),
    }
}

/// Each output may be a stream to another machine.
fn ffmpeg<'w>(words: &[&'w str]) -> Option<&'w str> {
    const NETWORK: &[&str] = &[
        "tcp:", "udp:", "udplite:", "rtp:", "rtmp", "rtsp:", "srt:", "srtp:", "sftp:", "ftp:", "icecast:", "gopher",
        "zmq:", "amqp:", "sctp:", "tls:", "dtls:", "unix:", "prompeg:", "ipfs", "tee:", "ffrtmp",
    ];
    let input = |at: usize| at.checked_sub(1).and_then(|at| words.get(at)).is_some_and(|before| *before == "-i");
    let sends = |word: &str| word.contains("://") || NETWORK.iter().any(|start| word.starts_with(start));
    words.iter().enumerate().find(|(at, word)| sends(word) && !input(*at)).map(|(_, word)| *word)
}

/// A name may begin with a bar and a program, or with the language of a script.
fn pictures<'w>(words: &[&'w str]) -> Option<&'w str> {
    const SCRIPTS: &[&str] = &["msl:", "ephemeral:", "mvg:", "-script", "-process"];
    let odd = |word: &&&str| {
        let plain = word.to_ascii_lowercase();
        let far = plain.contains("://") && !plain.starts_with("http://") && !plain.starts_with("https://");
        plain.starts_with('|') || far || SCRIPTS.iter().any(|start| plain.starts_with(start))
    };
    words.iter().find(odd).copied()
}

/// Filters, and formats that are scripts.
fn pandoc<'w>(words: &[&'w str]) -> Option<&'w str> {
    const ENGINES: &[&str] =
        &["pdflatex", "xelatex", "lualatex", "latexmk", "tectonic", "wkhtmltopdf", "weasyprint", "typst", "context"];
    const RUNNING: &[&str] =
        &["-F", "-L", "-d", "--filter", "--lua-filter", "--defaults", "--data-dir", "--pdf-engine-opt"];
    if let Some(first) = words.first().filter(|word| matches!(**word, "lua" | "server")) {
        return Some(first);
    }
    let mut before = "";
    for word in words {
        let engine = word.strip_prefix("--pdf-engine=").or(if before == "--pdf-engine" { Some(*word) } else { None });
        let odd = RUNNING.iter().any(|option| word.starts_with(option)) || word.ends_with(".lua");
        // Any option may be shortened.
        let short = word.len() > 3 && ["--fil", "--lua", "--def", "--dat"].iter().any(|start| word.starts_with(start));
        if odd || short || engine.is_some_and(|engine| !ENGINES.contains(&engine)) {
            return Some(word);
        }
        before = word;
    }
    None
}

/// Macros, and listening for others.
fn office<'w>(words: &[&'w str]) -> Option<&'w str> {
    const ODD: &[&str] = &["macro:", "vnd.sun.star", "--accept", "-accept", "-env:", "service:", "--unaccept"];
    words.iter().find(|word| ODD.iter().any(|start| word.starts_with(start))).copied()
}

#[cfg(test)]
mod tests {
    use super::super::testing::{check, check_unknown};
    use super::judge;

    #[test]
    fn files_and_what_only_looks_like_one() {
        check(
            judge,
            &[
                ("ffmpeg -i a.mp4 -c:v libx264 b.mkv", "changes"),
                ("ffmpeg -i https://x.example/a.mp4 b.mkv", "changes"),
                ("ffmpeg -version", "reads"),
                ("ffprobe -v error -show_format a.mp4", "reads"),
                ("ffprobe a.mp4 -o b", "changes"),
                ("convert a.png -resize 50% b.png", "changes"),
                ("identify a.png", "reads"),
                ("magick https://x.example/a.png b.png", "changes"),
                ("sox a.wav b.flac", "changes"),
                ("pandoc -s a.md -o b.pdf --pdf-engine=xelatex", "changes"),
                ("pandoc --pdf-engine tectonic a.md", "changes"),
                ("libreoffice --headless --convert-to pdf a.docx", "changes"),
                ("convert … b.png", "changes"),
            ],
        );
        check_unknown(
            judge,
            &[
                "ffmpeg -i a.mp4 -f flv rtmp://x.example/live",
                "ffmpeg -i a.mp4 http://web01/upload",
                "ffmpeg -i a.mp4 -method PUT https://web01/x",
                "ffmpeg -i a.mp4 -f mpegts tcp:x.example:1",
                "ffmpeg -i a.mp4 -f tee [f=flv]rtmp://x.example/live",
                "ffmpeg -progress http://web01/x -i a.mp4 b.mp4",
                "convert '|ssh web01 reboot' b.png",
                "convert msl:x.msl b.png",
                "magick -script x.mgk",
                "identify '|id'",
                "sox '|ssh web01 cat x' b.wav",
                "pandoc -F ./x a.md",
                "pandoc --lua-filter=x.lua a.md",
                "pandoc --lua x a.md",
                "pandoc -t x.lua a.md",
                "pandoc lua x.lua",
                "pandoc --pdf-engine=./x a.md",
                "pandoc -d x.yaml",
                "soffice macro:///x.y.z",
                "soffice --accept=socket,host=0",
            ],
        );
    }
}

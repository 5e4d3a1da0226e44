//! Settings in a layout by chance.
//!
//! Must not: know what is put into them.

use super::EVENT;

/// A text in a layout by chance: each gap between two tokens is drawn from what people and programs write there.
pub struct Chance {
    draws: Vec<u8>,
    at: usize,
}

impl Chance {
    pub fn of(draws: Vec<u8>) -> Self {
        Self { draws, at: 0 }
    }

    fn below(&mut self, bound: usize) -> usize {
        let draw = self.draws.get(self.at % self.draws.len().max(1)).copied().unwrap_or(0);
        self.at += 1;
        usize::from(draw) % bound
    }

    fn gap(&mut self) -> &'static str {
        const GAPS: &[&str] =
            &["", "", " ", "\n", "\n  ", "\r\n\t", " // c\n", "/* c */", " /* \n */ ", "\n    // c\n\n  ", "  "];
        GAPS[self.below(GAPS.len())]
    }

    fn container(&mut self, open: char, close: char, items: &[String]) -> String {
        let mut text = format!("{open}{}", self.gap());
        for (at, item) in items.iter().enumerate() {
            text += item;
            text += self.gap();
            if at + 1 < items.len() || self.below(3) == 0 {
                text += ",";
                text += self.gap();
            }
        }
        text.push(close);
        text
    }

    fn member(&mut self, name: &str, value: &str) -> String {
        format!("\"{name}\"{}:{}{value}", self.gap(), self.gap())
    }

    pub fn settings(&mut self) -> String {
        let mut groups = Vec::new();
        for _ in 0..self.below(3) {
            let handler =
                self.container('{', '}', &["\"type\": \"command\"".to_owned(), "\"command\": \"x\"".to_owned()]);
            let handlers = self.container('[', ']', &[handler]);
            let hooks = self.member("hooks", &handlers);
            groups.push(self.container('{', '}', &[hooks]));
        }
        let mut events = Vec::new();
        for name in ["Stop", EVENT, "PostToolUse"] {
            if self.below(2) == 0 {
                let list = self.container('[', ']', &groups);
                events.push(self.member(name, &list));
            }
        }
        let mut members = Vec::new();
        for name in ["model", "hooks", "env"] {
            if self.below(2) == 0 {
                let value = if name == "hooks" { self.container('{', '}', &events) } else { "\"x\"".to_owned() };
                members.push(self.member(name, &value));
            }
        }
        format!("{}{}{}", self.gap(), self.container('{', '}', &members), self.gap())
    }
}

//! The floor is linked as the program is.

#[path = "../../build/link.rs"]
mod link;

fn main() {
    println!("cargo::rerun-if-changed=../../build/link.rs");
    let _ = link::say_how();
}

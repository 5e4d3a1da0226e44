//! Starts programs in turn, many times, and prints how long each took: the machine's moods reach all of them alike.
//!
//! `alternate [--cold] RUNS HOME SPEC…`, where a SPEC is `NAME STDIN PROGRAM ARGUMENT…` with tabs between. Prints a line
//! a SPEC: its name, the median in µs, the tenth and ninetieth percentile, and with `--cold`, for which each program's file
//! is taken out of the page cache before each of its runs, the share of its pages that stayed in nevertheless.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic, reason = "what can't be measured has to stop")]

use std::fs::File;
use std::os::fd::AsRawFd as _;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

struct Runner {
    name: String,
    stdin: String,
    program: String,
    arguments: Vec<String>,
    times: Vec<Duration>,
    /// Pages that were in the cache after they had been sent away, and all pages, over all runs.
    stayed: (usize, usize),
}

impl Runner {
    fn of(spec: &str) -> Self {
        let mut parts = spec.split('\t').map(str::to_owned);
        let mut next = || parts.next().unwrap_or_else(|| panic!("too few parts: {spec}"));
        let (name, stdin, program) = (next(), next(), next());
        Self { name, stdin, program, arguments: parts.collect(), times: Vec::new(), stayed: (0, 0) }
    }

    fn run(&mut self, home: &str) {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).env_clear().env("HOME", home).current_dir(home);
        command.stdin(File::open(&self.stdin).unwrap()).stdout(Stdio::null()).stderr(Stdio::null());
        let start = Instant::now();
        let status = command.spawn().unwrap().wait().unwrap();
        self.times.push(start.elapsed());
        assert!(status.success(), "{} ended with {status}", self.name);
    }

    /// Sends the program's file out of the page cache, and looks what stayed.
    fn cool(&mut self) {
        let file = File::open(&self.program).unwrap();
        let length = usize::try_from(file.metadata().unwrap().len()).unwrap();
        let mut pages = vec![0_u8; length.div_ceil(4096)];
        // SAFETY: the file is open; the mapping is as long as the file, is only asked about, and is taken down again; the
        // list has one byte for each of its pages.
        unsafe {
            libc::posix_fadvise(file.as_raw_fd(), 0, 0, libc::POSIX_FADV_DONTNEED);
            let at = libc::mmap(std::ptr::null_mut(), length, libc::PROT_READ, libc::MAP_SHARED, file.as_raw_fd(), 0);
            assert!(at != libc::MAP_FAILED, "{} can't be mapped", self.program);
            assert_eq!(libc::mincore(at, length, pages.as_mut_ptr()), 0);
            libc::munmap(at, length);
        }
        self.stayed.0 += pages.iter().filter(|page| **page & 1 == 1).count();
        self.stayed.1 += pages.len();
    }

    fn report(&mut self, cold: bool) {
        self.times.sort();
        let at = |percent: usize| self.times[(self.times.len() - 1) * percent / 100].as_secs_f64() * 1e6;
        print!("{}\t{:.1}\t{:.1}\t{:.1}", self.name, at(50), at(10), at(90));
        if cold {
            print!("\t{:.1}", self.stayed.0 as f64 * 100.0 / self.stayed.1 as f64);
        }
        println!();
    }
}

fn main() {
    let mut arguments: Vec<String> = std::env::args().skip(1).collect();
    let cold = arguments.first().is_some_and(|first| first == "--cold");
    arguments.drain(..usize::from(cold));
    let [runs, home, specs @ ..] = arguments.as_slice() else { panic!("alternate [--cold] RUNS HOME SPEC…") };
    let mut runners: Vec<Runner> = specs.iter().map(|spec| Runner::of(spec)).collect();
    // The first few find nothing in any cache.
    const FIRST: usize = 5;
    for round in 0..runs.parse::<usize>().unwrap() + FIRST {
        for runner in &mut runners {
            if cold {
                runner.cool();
            }
            runner.run(home);
            if round < FIRST {
                runner.times.clear();
            }
        }
    }
    for runner in &mut runners {
        runner.report(cold);
    }
}

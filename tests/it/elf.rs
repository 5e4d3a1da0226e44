//! What a program's file says of how it is loaded (ELF of 64 bits, the least byte first).

pub const LOADED: u32 = 1;
pub const LOADER: u32 = 3;
pub const UNWINDING: u32 = 0x6474_e550;

/// A piece of the file, and where it lies once the program runs.
pub struct Segment {
    pub kind: u32,
    pub offset: usize,
    pub address: usize,
    pub size: usize,
}

pub fn segments(file: &[u8]) -> impl Iterator<Item = Segment> {
    let (table, size, count) = (number(file, 32, 8), number(file, 54, 2), number(file, 56, 2));
    (0..count).map(move |index| {
        let at = table + index * size;
        Segment {
            kind: u32::try_from(number(file, at, 4)).unwrap(),
            offset: number(file, at + 8, 8),
            address: number(file, at + 16, 8),
            size: number(file, at + 32, 8),
        }
    })
}

/// The code from where the program begins.
pub fn beginning(file: &[u8]) -> &[u8] {
    let entry = number(file, 24, 8);
    let within = |segment: &Segment| (segment.address..segment.address + segment.size).contains(&entry);
    let segment = segments(file).find(|segment| segment.kind == LOADED && within(segment)).unwrap();
    &file[segment.offset + (entry - segment.address)..]
}

fn number(file: &[u8], at: usize, size: usize) -> usize {
    file[at..at + size].iter().rev().fold(0, |all, byte| all << 8 | usize::from(*byte))
}

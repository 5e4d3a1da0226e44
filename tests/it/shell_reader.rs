//! The reader of shell text against other readers.

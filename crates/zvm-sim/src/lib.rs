//! A Zerto Virtual Manager that keeps state, for tests and demonstrations.

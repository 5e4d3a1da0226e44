//! zerto-guard

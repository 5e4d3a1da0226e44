//! What is kept between two processes of one user: tokens, locks (and later questions and the audit log).

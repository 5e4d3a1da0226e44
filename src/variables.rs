//! The hook's environment: what it heeds of it stays, and nothing else is there any more.
//!
//! A project's settings can set a hook's environment (measured on Claude Code), and it is not only this program that reads it. The
//! C library does: where names are looked up (`LOCALDOMAIN`, `RES_OPTIONS`, `HOSTALIASES`), and which file says how, of which it
//! prints each line that it does not understand (`RESOLV_HOST_CONF`). Worse, a program that is linked statically with the GNU C
//! library still loads the libraries of `/etc/nsswitch.conf` (`resolve`, `mdns4_minimal`) to look up a name, and looks for them
//! in `LD_LIBRARY_PATH` first; a library of the project's could end the hook with 0. That one was read before `main` is called,
//! so that to take it away then is too late, and the program starts again. Must not: be called where other threads run.

use std::ffi::{CStr, c_char};

/// What is heeded (contract, section 3), and what `password_command` gets.
const HEEDED: [&str; 5] = ["HOME", "ZERTO_GUARD_CHANGE", "ZERTO_GUARD_PASSWORD", "USER", "LANG"];

unsafe extern "C" {
    /// The list of `NAME=value`, which ends with a null pointer (environ(7)).
    static mut environ: *mut *const c_char;
}

/// Takes everything else out of the environment. Does not return where the C library has already read what lets another's code
/// in: the program runs anew without it.
///
/// # Errors
/// It can't be started again, and no name may be looked up now; what to say of the call.
pub fn keep_what_is_heeded() -> Result<(), String> {
    #[cfg(target_os = "linux")]
    let mut is_foreign = false;
    // SAFETY: the list is the C library's own, or the kernel's, may be written, and nothing else reads it now. It gets shorter in
    // its place, and each entry ends with a zero.
    unsafe {
        let (mut from, mut to) = (environ, environ);
        while !from.is_null() && !(*from).is_null() {
            let entry = CStr::from_ptr(*from);
            if HEEDED.iter().any(|name| value_of(entry, name).is_some()) {
                *to = *from;
                to = to.add(1);
            }
            #[cfg(target_os = "linux")]
            {
                is_foreign |= value_of(entry, start_again::FOLDERS).is_some_and(|folders| !folders.is_empty());
            }
            from = from.add(1);
        }
        if !to.is_null() {
            *to = std::ptr::null();
        }
    }
    #[cfg(target_os = "linux")]
    if is_foreign {
        return Err(start_again::without_it());
    }
    Ok(())
}

/// What stands behind a variable's name in an entry; none in an entry of another one.
fn value_of<'e>(entry: &'e CStr, name: &str) -> Option<&'e [u8]> {
    entry.to_bytes().strip_prefix(name.as_bytes())?.strip_prefix(b"=")
}

/// Other systems load nothing like that once the program runs.
#[cfg(target_os = "linux")]
mod start_again {
    use std::ffi::{CStr, CString};
    use std::os::unix::ffi::OsStringExt as _;

    /// The variable.
    pub const FOLDERS: &str = "LD_LIBRARY_PATH";

    /// Runs the program anew, with the environment as it is now. Why that can't be, if it returns.
    pub fn without_it() -> String {
        let arguments: Vec<CString> =
            std::env::args_os().filter_map(|text| CString::new(text.into_vec()).ok()).collect();
        let pointers: Vec<_> = arguments.iter().map(|text| text.as_ptr()).chain([std::ptr::null()]).collect();
        // SAFETY: the lists end with a null pointer and their texts live on; the name under which the kernel started this program
        // (getauxval(3), for where there is no /proc) lives as long as the program. What is blocked stays so over execve(2), until
        // the handlers are set.
        unsafe {
            let mut all: libc::sigset_t = std::mem::zeroed();
            let mut before: libc::sigset_t = std::mem::zeroed();
            libc::sigfillset(&raw mut all);
            libc::sigprocmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
            let variables = super::environ.cast_const();
            libc::execve(c"/proc/self/exe".as_ptr(), pointers.as_ptr(), variables);
            let name = libc::getauxval(libc::AT_EXECFN) as *const libc::c_char;
            if !name.is_null() {
                libc::execve(CStr::from_ptr(name).as_ptr(), pointers.as_ptr(), variables);
            }
            let error = std::io::Error::last_os_error();
            libc::sigprocmask(libc::SIG_SETMASK, &raw const before, std::ptr::null_mut());
            format!(
                "stopped this call: {FOLDERS} is set for the hook, with which another's code could run in its place, and it can't \
                 start again without it ({error}).\nTake it out of the environment of the agent host and of the project's \
                 settings, then try again."
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_heeded_whole() {
        for (entry, heeded) in [
            (c"HOME=/home/jo", true),
            (c"HOME=", true),
            (c"ZERTO_GUARD_PASSWORD=a=b", true),
            (c"HOME", false),
            (c"HOMES=x", false),
            (c"=HOME=x", false),
            (c"HOSTALIASES=HOME=x", false),
            (c"\xff=x", false),
            (c"", false),
        ] {
            assert_eq!(HEEDED.iter().any(|name| value_of(entry, name).is_some()), heeded, "{entry:?}");
        }
    }
}

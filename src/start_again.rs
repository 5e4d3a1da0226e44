//! Starts the hook again without the variable that lets another's code into it.
//!
//! A program that is linked statically with the GNU C library still loads the libraries of `/etc/nsswitch.conf` (`resolve`,
//! `mdns4_minimal`) to look up a name, and looks for them in `LD_LIBRARY_PATH` first. A project's settings can set that (measured on
//! Claude Code), and a library of the project's could end the hook with 0. The C library has read it before `main` is called, so
//! that to take it away then is too late. Must not: be called where other threads run.

/// The variable.
#[cfg(target_os = "linux")]
const FOLDERS: &str = "LD_LIBRARY_PATH";

/// Does not return where the variable was set: the program runs anew without it, and without its like.
///
/// # Errors
/// It can't be started again, and no name may be looked up now; what to say of the call.
#[cfg(target_os = "linux")]
pub fn without_foreign_libraries() -> Result<(), String> {
    use std::ffi::{CStr, CString, OsString};
    use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};

    if std::env::var_os(FOLDERS).is_none_or(|folders| folders.is_empty()) {
        return Ok(());
    }
    let texts = |texts: Vec<OsString>| -> Vec<CString> {
        texts.into_iter().filter_map(|text| CString::new(text.into_vec()).ok()).collect()
    };
    let pointers = |texts: &[CString]| -> Vec<*const libc::c_char> {
        texts.iter().map(|text| text.as_ptr()).chain([std::ptr::null()]).collect()
    };
    let kept = std::env::vars_os().filter(|(name, _)| !name.as_bytes().starts_with(b"LD_")).map(|(mut name, value)| {
        name.push("=");
        name.push(value);
        name
    });
    let (arguments, variables) = (texts(std::env::args_os().collect()), texts(kept.collect()));
    let (arguments, variables) = (pointers(&arguments), pointers(&variables));
    // SAFETY: the lists end with a null pointer and their texts live on; the name under which the kernel started this program
    // (getauxval(3), for where there is no /proc) lives as long as the program. What is blocked stays so over execve(2), until
    // the handlers are set.
    unsafe {
        let mut all: libc::sigset_t = std::mem::zeroed();
        let mut before: libc::sigset_t = std::mem::zeroed();
        libc::sigfillset(&raw mut all);
        libc::sigprocmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
        libc::execve(c"/proc/self/exe".as_ptr(), arguments.as_ptr(), variables.as_ptr());
        let name = libc::getauxval(libc::AT_EXECFN) as *const libc::c_char;
        if !name.is_null() {
            libc::execve(CStr::from_ptr(name).as_ptr(), arguments.as_ptr(), variables.as_ptr());
        }
        let error = std::io::Error::last_os_error();
        libc::sigprocmask(libc::SIG_SETMASK, &raw const before, std::ptr::null_mut());
        Err(format!(
            "stopped this call: {FOLDERS} is set for the hook, with which another's code could run in its place, and it can't start \
             again without it ({error}).\nTake it out of the environment of the agent host and of the project's settings, then try \
             again."
        ))
    }
}

/// Other systems load nothing like that once the program runs.
///
/// # Errors
/// None.
#[cfg(not(target_os = "linux"))]
pub fn without_foreign_libraries() -> Result<(), String> {
    Ok(())
}

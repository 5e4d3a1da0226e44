//! Runs a simulator with the demo world until Ctrl-C, and prints how to reach it.

use std::process::ExitCode;

use zvm_sim::{Side, Sim, StartError, State, Vm};

const HELP: &str = "\
A Zerto Virtual Manager that keeps state, for tests and demonstrations.

Usage: zvm-sim [options]

  --http             plain http in place of HTTPS
  --port N           listen at that port of 127.0.0.1 (default: any that is free)
  --with-peer SITE   simulate that site's ZVM too (bos), which recovers what this one protects
  --config-out FILE  write the configuration there too
  --help             this text
";

#[derive(Default)]
struct Options {
    help: bool,
    http: bool,
    port: u16,
    peer: Option<String>,
    config_out: Option<String>,
}

impl Options {
    fn parse(args: impl Iterator<Item = String>) -> Result<Self, String> {
        let mut args = args;
        let mut options = Self::default();
        while let Some(arg) = args.next() {
            let mut value = || args.next().ok_or_else(|| format!("{arg} needs a value."));
            match arg.as_str() {
                "--help" | "-h" => options.help = true,
                "--http" => options.http = true,
                "--port" => {
                    let text = value()?;
                    options.port = text.parse().map_err(|_| format!("'{text}' is not a port."))?;
                }
                "--with-peer" => options.peer = Some(value()?),
                "--config-out" => options.config_out = Some(value()?),
                other => return Err(format!("'{other}' is not an option; see --help.")),
            }
        }
        Ok(options)
    }
}

fn main() -> ExitCode {
    let options = match Options::parse(std::env::args().skip(1)) {
        Ok(options) => options,
        Err(e) => {
            eprintln!("zvm-sim: {e}");
            return ExitCode::from(2);
        }
    };
    if options.help {
        print!("{HELP}");
        return ExitCode::SUCCESS;
    }
    match run(&options) {
        Ok(()) => ExitCode::SUCCESS,
        Err(e) => {
            eprintln!("zvm-sim: {e}");
            ExitCode::FAILURE
        }
    }
}

fn run(options: &Options) -> Result<(), StartError> {
    let mut builder = Sim::builder().demo_world().port(options.port);
    if options.http {
        builder = builder.http();
    }
    let sim = builder.try_start()?;
    let peer = match &options.peer {
        Some(site) => {
            let peer = sim.peer_zvm(site).ok_or_else(|| format!("'{site}' is no peer of this site."))?;
            Some(if options.http { peer.http() } else { peer }.try_start()?)
        }
        None => None,
    };
    let zvms = || std::iter::once(&sim).chain(&peer);
    let config = zvms().map(Sim::config_toml).collect::<Vec<_>>().join("\n");
    for zvm in zvms() {
        println!("A simulated ZVM listens at {}.", zvm.url());
        if !zvm.pin().is_empty() {
            println!("Its certificate: {}", zvm.pin());
        }
    }
    println!("\n# config.toml\n{config}\nIts VMs:");
    sim.with_state(|state| {
        for vm in &state.vms {
            println!("  {}", describe(state, vm));
        }
    });
    if let Some(file) = &options.config_out {
        write_private(file, &config).map_err(|e| format!("{file}: {e}"))?;
        println!("\nThe configuration is in {file}.");
    }
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(told_to_end())?;
    Ok(())
}

/// A client may refuse a configuration that others can write, whatever the umask here is.
fn write_private(file: &str, text: &str) -> std::io::Result<()> {
    use std::io::Write as _;
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create(true).truncate(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.mode(0o600);
    }
    options.open(file)?.write_all(text.as_bytes())
}

/// Ctrl-C, or what a supervisor sends: the password file has to go either way.
#[cfg(unix)]
async fn told_to_end() -> std::io::Result<()> {
    use tokio::signal::unix::{SignalKind, signal};
    // Before the line that says so: whoever reads it may be quick.
    let (mut interrupted, mut terminated) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
    println!("\nCtrl-C ends it.");
    tokio::select! {
        _ = interrupted.recv() => {}
        _ = terminated.recv() => {}
    }
    Ok(())
}

#[cfg(not(unix))]
async fn told_to_end() -> std::io::Result<()> {
    println!("\nCtrl-C ends it.");
    tokio::signal::ctrl_c().await
}

/// A VM, its VPGs, and what an insert would come to.
fn describe(state: &State, vm: &Vm) -> String {
    let vpgs: Vec<String> = vm
        .vpgs
        .iter()
        .filter_map(|id| state.vpg(id))
        .map(|vpg| {
            let name = |side| state.site_of(side).map_or("?", |s| s.name.as_str());
            let from_cloud = state.site_of(&vpg.protected).is_some_and(zvm_sim::Site::refuses_tags);
            let insert = match (from_cloud, &vpg.protected, vpg.refusal()) {
                (true, ..) => "takes no tag: its protected site is a cloud's",
                (_, Side::Peer(_), _) => "takes no tag here: it is protected at the other site",
                (.., Some(why)) => why,
                (.., None) => "taggable",
            };
            format!("{} ({} to {}): {insert}", vpg.name, name(&vpg.protected), name(&vpg.recovery))
        })
        .collect();
    let what = if vpgs.is_empty() { "unprotected".to_owned() } else { vpgs.join("; ") };
    format!("{:<10} {}  {what}", vm.name, vm.identifier)
}

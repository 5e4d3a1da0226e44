//! What Ansible's file of settings says: where the inventory is, and whether something else runs than is asked for. Pure.

use super::plain_for_ssh;
use crate::classify::Found;
use crate::classify::effect::Facts;
use crate::path::joined;

/// Settings under which Ansible does what its words say.
#[rustfmt::skip]
const PLAIN: &[&str] = &[
    "allow_world_readable_tmpfiles", "any_errors_fatal", "become", "become_ask_pass", "become_method", "become_user",
    "bin_ansible_callbacks", "callback_format_pretty", "callback_result_format", "collections_path", "collections_paths", "command_warnings", "connect_timeout",
    "control_path_dir", "deprecation_warnings", "devel_warning", "display_args_to_stdout", "display_failed_stderr", "display_ok_hosts",
    "display_skipped_hosts", "error_on_undefined_vars", "fact_caching_timeout", "fact_caching_prefix", "force_color", "force_handlers",
    "force_valid_group_names", "forks", "gather_subset", "gather_timeout", "gathering", "hash_behaviour", "home", "host_key_checking", "hostfile", "inject_facts_as_vars",
    "internal_poll_interval", "interpreter_python", "inventory", "local_tmp", "localhost_warning", "log_path", "max_diff_size", "no_log", "no_target_syslog",
    "nocolor", "nocows", "pipelining", "poll_interval", "private_key_file", "reconnection_retries", "remote_port", "remote_tmp",
    "remote_user", "result_format", "retries", "retry_files_enabled", "retry_files_save_path", "roles_path", "scp_if_ssh", "server", "server_list",
    "sftp_batch_mode", "show_custom_stats", "show_task_path_on_failure", "sudo_user", "system_warnings", "timeout", "token", "transfer_method",
    "unparsed_is_failed", "url", "use_persistent_connections", "usetty", "verbosity", "any_unparsed_is_failed", "inventory_unparsed_warning",
    "always", "context", "interactive", "keep_remote_files", "ask_pass", "ask_become_pass", "ask_vault_pass",
];

/// Plugins that come with Ansible, and only show or keep something.
const PLUGINS: &[&str] = &[
    "ansible.builtin.default",
    "ansible.posix.profile_tasks",
    "ansible.posix.timer",
    "community.general.yaml",
    "debug",
    "default",
    "dense",
    "free",
    "json",
    "jsonfile",
    "linear",
    "memory",
    "minimal",
    "oneline",
    "profile_roles",
    "profile_tasks",
    "skippy",
    "smart",
    "ssh",
    "timer",
    "unixy",
    "yaml",
];

/// Sections that only say how things look.
const LOOKS: &[&str] = &["colors", "diff", "galaxy"];

/// What a file of settings says.
#[derive(Debug, Default)]
pub(super) struct Settings {
    /// Where the inventories are: as they were written, and the folder in which that begins.
    pub inventory: Option<(String, String)>,
    /// Files of passwords, which are run if they are programs.
    pub secrets: Vec<String>,
    /// Why something else may run than the words say, if it may.
    pub odd: Option<String>,
}

impl Settings {
    /// The settings that hold where Ansible runs; on another machine its own are taken to be usual ones.
    pub fn of(facts: &Facts) -> Self {
        let mut settings = Self::default();
        let (mut paths, mut must) = (vec![], false);
        if let Some(path) = facts.variables.variable("ANSIBLE_CONFIG") {
            let Some(path) = path.known().filter(|_| facts.own).and_then(|path| joined(path, facts.cwd)) else {
                settings.odd = Some("`ANSIBLE_CONFIG` says which settings are read".into());
                return settings;
            };
            // A folder is meant for the file in it.
            paths.push(format!("{path}/ansible.cfg"));
            paths.push(path);
            must = true;
        }
        if !facts.own {
            return settings;
        }
        match facts.cwd {
            Some(cwd) => paths.push(format!("{cwd}/ansible.cfg")),
            None => {
                settings.odd = Some("in which folder its settings lie is not known".into());
                return settings;
            }
        }
        paths.extend(facts.home.map(|home| format!("{home}/.ansible.cfg")));
        paths.push("/etc/ansible/ansible.cfg".into());
        for (nr, path) in paths.iter().enumerate() {
            match facts.around.file(path) {
                Found::Nothing => {}
                Found::File(bytes) => {
                    match String::from_utf8(bytes) {
                        Ok(text) => settings.read(&text, path),
                        Err(_) => settings.odd = Some(format!("{path} is no text")),
                    }
                    return settings;
                }
                // The second may be the folder in which the first was looked for.
                Found::Unreadable if must && nr == 1 => {}
                Found::Unreadable => {
                    settings.odd = Some(format!("{path} can't be read"));
                    return settings;
                }
            }
        }
        settings
    }

    fn read(&mut self, text: &str, path: &str) {
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let mut section = String::new();
        for line in text.lines() {
            // What is indented goes on the value before it.
            if line.starts_with([' ', '\t']) && !line.trim().is_empty() {
                self.odd.get_or_insert_with(|| format!("a value of {path} has several lines"));
            }
            let line = line.trim();
            if line.is_empty() || line.starts_with(['#', ';']) {
                continue;
            }
            if let Some(name) = line.strip_prefix('[').and_then(|rest| rest.split(']').next()) {
                section = name.to_ascii_lowercase();
                continue;
            }
            let (key, value) = line.split_once(['=', ':']).unwrap_or((line, ""));
            let (key, value) = (key.trim().to_ascii_lowercase(), value.split(" ;").next().unwrap_or_default().trim());
            if !LOOKS.iter().any(|looks| section.starts_with(looks)) {
                self.setting(&section, &key, value, path, folder);
            }
        }
    }

    fn setting(&mut self, section: &str, key: &str, value: &str, path: &str, folder: &str) {
        let listed = || value.split(',').all(|name| PLUGINS.contains(&name.trim()));
        let fine = match key {
            "inventory" | "hostfile" if section == "defaults" => {
                self.inventory = Some((value.to_owned(), folder.to_owned()));
                !value.contains(['{', '$'])
            }
            "ssh_args" | "ssh_common_args" | "ssh_extra_args" | "scp_extra_args" | "sftp_extra_args" => {
                plain_for_ssh(value)
            }
            "vault_password_file" | "become_password_file" | "connection_password_file" => {
                let path = if value.starts_with(['/', '~']) { value.to_owned() } else { format!("{folder}/{value}") };
                self.secrets.push(path);
                !value.contains(['{', '$'])
            }
            // One that is each machine's own.
            "control_path" => ["%h", "%c", "%n"].iter().any(|part| value.to_ascii_lowercase().contains(part)),
            "executable" => ["/bin/sh", "/bin/bash", "/usr/bin/bash"].contains(&value),
            "module_name" => value == "command",
            "enable_plugins" => value.split(',').all(|name| {
                ["host_list", "script", "auto", "yaml", "ini", "toml"]
                    .contains(&name.trim().trim_start_matches("ansible.builtin."))
            }),
            "stdout_callback" | "callbacks_enabled" | "callback_whitelist" | "callback_enabled" | "strategy"
            | "transport" | "fact_caching" => listed(),
            "fact_caching_connection" => !value.contains("://"),
            key => PLAIN.contains(&key),
        };
        if !fine {
            self.odd.get_or_insert_with(|| format!("its setting `{key}` in {path} may run something else"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn settings_that_are_usual() {
        for (text, odd, inventory) in [
            ("[defaults]\ninventory = hosts\nforks=5\n", false, "hosts"),
            ("[defaults]\ninventory = ./a, ./b\nhost_key_checking: False ; x\n", false, "./a, ./b"),
            ("[defaults]\nlibrary = ./x\n", true, ""),
            ("[defaults]\nmodule_name = shell\n", true, ""),
            ("[defaults]\nstdout_callback = yaml\ncallbacks_enabled = timer, profile_tasks\n", false, ""),
            ("[defaults]\nstdout_callback = mine\n", true, ""),
            ("[defaults]\nvault_password_file = ./x\n", false, ""),
            ("[defaults]\nvault_identity_list = ./x\n", true, ""),
            ("[defaults]\nremote_user = x\n  y\n", true, ""),
            (
                "[ssh_connection]\nssh_args = -o ControlMaster=auto -o ControlPersist=60s\npipelining = True\n",
                false,
                "",
            ),
            ("[ssh_connection]\nssh_args = -o ProxyCommand=reboot\n", true, ""),
            ("[ssh_connection]\nssh_executable = ./ssh\n", true, ""),
            ("[ssh_connection]\ncontrol_path = /tmp/x\n", true, ""),
            ("[ssh_connection]\ncontrol_path = %(directory)s/%%h-%%r\n", false, ""),
            ("[colors]\nhighlight = white\n", false, ""),
            ("[inventory]\nenable_plugins = ini, yaml\n", false, ""),
            ("[inventory]\nenable_plugins = aws_ec2\n", true, ""),
            ("# library = x\n", false, ""),
        ] {
            let mut settings = Settings::default();
            settings.read(text, "/x/ansible.cfg");
            assert_eq!(settings.odd.is_some(), odd, "{text} {settings:?}");
            assert_eq!(settings.inventory.map(|(text, _)| text).unwrap_or_default(), inventory, "{text}");
        }
    }
}

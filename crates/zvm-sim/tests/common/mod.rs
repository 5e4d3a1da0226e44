//! A client for the tests: ureq over real TLS, one agent, one token. It trusts whatever it meets; what a careful
//! client does is shown in `tls.rs`.

#![allow(dead_code, clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing)]

use std::time::{Duration, Instant};

use serde_json::{Value, json};
use ureq::Agent;
use ureq::tls::TlsConfig;
use zvm_sim::Sim;

pub const TOKEN_PATH: &str = "/auth/realms/zerto/protocol/openid-connect/token";

pub fn agent() -> Agent {
    Agent::config_builder()
        .tls_config(TlsConfig::builder().disable_verification(true).build())
        .http_status_as_error(false)
        .max_redirects(0)
        .max_redirects_will_error(false)
        .proxy(None)
        .timeout_global(Some(Duration::from_secs(10)))
        .build()
        .into()
}

pub struct Client {
    pub agent: Agent,
    url: String,
    pub token: String,
}

/// Status and body of an answer that is JSON.
pub type Got = (u16, Value);

impl Client {
    pub fn anonymous(sim: &Sim) -> Self {
        Self { agent: agent(), url: sim.url().to_owned(), token: String::new() }
    }

    pub fn new(sim: &Sim) -> Self {
        let mut client = Self::anonymous(sim);
        let (status, answer) = client.log_in("openid");
        assert_eq!(status, 200, "{answer}");
        client.token = answer["access_token"].as_str().unwrap().to_owned();
        client
    }

    pub fn log_in(&self, scope: &str) -> Got {
        self.form(&[
            ("grant_type", "password"),
            ("client_id", "zerto-client"),
            ("username", "zerto-guard"),
            ("password", "correct horse"),
            ("scope", scope),
        ])
    }

    pub fn form(&self, fields: &[(&str, &str)]) -> Got {
        let url = format!("{}{TOKEN_PATH}", self.url);
        let mut answer = self.agent.post(url).send_form(fields.iter().copied()).unwrap();
        (answer.status().as_u16(), answer.body_mut().read_json().unwrap())
    }

    pub fn try_get(&self, path: &str) -> Result<(u16, String), ureq::Error> {
        let request = self.agent.get(format!("{}{path}", self.url));
        let mut answer = request.header("Authorization", format!("Bearer {}", self.token)).call()?;
        Ok((answer.status().as_u16(), answer.body_mut().with_config().limit(1 << 30).read_to_string()?))
    }

    pub fn get(&self, path: &str) -> Got {
        let (status, text) = self.try_get(path).unwrap();
        (status, serde_json::from_str(&text).unwrap_or(Value::Null))
    }

    pub fn try_post(&self, path: &str, body: &Value) -> Result<Got, ureq::Error> {
        let request = self.agent.post(format!("{}{path}", self.url));
        let mut answer = request.header("Authorization", format!("Bearer {}", self.token)).send_json(body)?;
        let text = answer.body_mut().read_to_string()?;
        Ok((answer.status().as_u16(), serde_json::from_str(&text).unwrap_or(Value::Null)))
    }

    pub fn post(&self, path: &str, body: &Value) -> Got {
        self.try_post(path, body).unwrap()
    }

    pub fn delete(&self, path: &str) -> Got {
        let request = self.agent.delete(format!("{}{path}", self.url));
        let mut answer = request.header("Authorization", format!("Bearer {}", self.token)).call().unwrap();
        let text = answer.body_mut().read_to_string().unwrap();
        (answer.status().as_u16(), serde_json::from_str(&text).unwrap_or(Value::Null))
    }

    /// Begins to mount, at a checkpoint of that VPG.
    pub fn mount(&self, sim: &Sim, vm: &str, vpg: &str, checkpoint: &str) -> Got {
        let vm = sim.with_state(|s| s.vms.iter().find(|v| v.name == vm).unwrap().identifier.clone());
        let jflr = json!({ "vmIdentifier": vm, "vpgIdentifier": sim.vpg_id(vpg).unwrap(), "checkpointIdentifier": checkpoint });
        self.post("/v1/flrs", &json!({ "jflr": jflr }))
    }

    /// Mounts, and waits until it is over; the session's identifier.
    pub fn mount_whole(&self, sim: &Sim, vm: &str, vpg: &str, checkpoint: &str) -> String {
        let (status, id) = self.mount(sim, vm, vpg, checkpoint);
        assert_eq!(status, 200, "{id}");
        let id = id.as_str().unwrap().to_owned();
        self.until(&id, |status| status != "MountInProgress");
        id
    }

    /// Waits for a status of a session.
    pub fn until(&self, session: &str, holds: impl Fn(&str) -> bool) -> String {
        let until = Instant::now() + Duration::from_secs(5);
        loop {
            let (_, answer) = self.get(&format!("/v1/flrs/{session}"));
            let status = answer["FlrSessionStatus"].as_str().unwrap_or_default().to_owned();
            if holds(&status) {
                return status;
            }
            assert!(Instant::now() < until, "{answer}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    pub fn browse(&self, session: &str, body: &Value) -> Got {
        self.post(&format!("/v1/flrs/{session}/browse"), body)
    }

    /// The paths that a folder holds.
    pub fn paths(&self, session: &str, path: &str) -> Vec<String> {
        let (status, answer) = self.browse(session, &json!({ "path": path }));
        assert_eq!(status, 200, "{answer}");
        answer["PathItems"].as_array().unwrap().iter().map(|i| i["Path"].as_str().unwrap().to_owned()).collect()
    }

    /// The link to these paths.
    pub fn link(&self, session: &str, paths: &[&str]) -> Got {
        self.post(&format!("/v1/flrs/{session}/download"), &json!({ "pathList": paths }))
    }

    /// The bytes of these paths.
    pub fn bytes(&self, session: &str, paths: &[&str]) -> Vec<u8> {
        let (status, link) = self.link(session, paths);
        assert_eq!(status, 200, "{link}");
        let request = self.agent.get(format!("{}/{}", self.url, link.as_str().unwrap()));
        let mut answer = request.header("Authorization", format!("Bearer {}", self.token)).call().unwrap();
        assert_eq!(answer.status(), 200);
        answer.body_mut().with_config().limit(1 << 30).read_to_vec().unwrap()
    }

    pub fn insert(&self, sim: &Sim, vpg: &str, tag: &str) -> Got {
        self.try_post(&checkpoints(sim, vpg), &json!({ "checkpointName": tag })).unwrap()
    }

    /// Inserts, and waits until the task is over.
    pub fn insert_whole(&self, sim: &Sim, vpg: &str, tag: &str) -> Value {
        let (status, id) = self.insert(sim, vpg, tag);
        assert_eq!(status, 200, "{id}");
        self.wait(id.as_str().unwrap())
    }

    pub fn wait(&self, task: &str) -> Value {
        let until = Instant::now() + Duration::from_secs(5);
        loop {
            let (status, answer) = self.get(&format!("/v1/tasks/{task}"));
            if status == 200 && answer["Status"]["State"].as_u64().is_some_and(|s| (4..=6).contains(&s)) {
                return answer;
            }
            assert!(Instant::now() < until, "{answer}");
            std::thread::sleep(Duration::from_millis(5));
        }
    }

    /// The tags that the API lists.
    pub fn listed(&self, sim: &Sim, vpg: &str) -> Vec<String> {
        let (status, list) = self.get(&checkpoints(sim, vpg));
        assert_eq!(status, 200, "{list}");
        list.as_array().unwrap().iter().filter_map(|c| c["Tag"].as_str().map(str::to_owned)).collect()
    }
}

pub fn checkpoints(sim: &Sim, vpg: &str) -> String {
    format!("/v1/vpgs/{}/checkpoints", sim.vpg_id(vpg).expect("there is such a VPG"))
}

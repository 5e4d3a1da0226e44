//! Cmdlets that send statements to SQL Server.

use super::commands::Met;
use super::follow::Follow;
use super::value::Value;
use crate::classify::effect::{Effect, Host};
use crate::classify::programs::database::Session;
use crate::classify::programs::sqlcmd;
use crate::classify::sql::{Client, Dialect};
use crate::classify::word::Word;

/// Parameters of `Invoke-Sqlcmd`.
const SQLCMD: &str = "Query,Q InputFile ServerInstance,SqlInstance Database Encrypt EncryptConnection! Username Password Credential QueryTimeout \
    ConnectionTimeout ErrorLevel SeverityLevel MaxCharLength MaxBinaryLength AbortOnError! DedicatedAdministratorConnection! \
    DisableVariables! DisableCommands! HostName HostNameInCertificate ApplicationName ApplicationIntent MultiSubnetFailover! \
    FailoverPartner NewPassword Variable OutputSqlErrors IncludeSqlUserErrors! SuppressProviderContextWarning! \
    IgnoreProviderContext! OutputAs,As ConnectionString TrustServerCertificate! AccessToken KeepAlive! StatisticsVariable";

/// Those of `Invoke-DbaQuery`, what is the same under the same name.
const DBA_QUERY: &str = "ServerInstance,SqlInstance Query InputFile,File SqlCredential Database QueryTimeout SqlObject As SqlParameter,SqlParameters \
    CommandType AppendServerInstance! MessagesToOutput! ReadOnly! NoExec! AppendConnectionString EnableException!";

impl Follow<'_> {
    /// `Invoke-Sqlcmd`, `Invoke-DbaQuery`.
    pub(super) fn sql(&mut self, name: &str, met: &Met) -> Vec<Effect> {
        let of_dba = name == "invoke-dbaquery";
        let bound = met.given.bind(if of_dba { DBA_QUERY } else { SQLCMD });
        let query = if of_dba { bound.at("query", 1) } else { bound.at("query", 0) };
        let server = if of_dba { bound.at("serverinstance", 0) } else { bound.get("serverinstance") };
        let mut session = Session::new(Dialect::MsSql, Client::Sqlcmd, self.facts);
        match (query, bound.get("inputfile")) {
            (None, None) => session.doubt("it is given no statement"),
            (query, file) => {
                query.map(Value::word).iter().for_each(|text| session.script(text));
                for path in file.into_iter().flat_map(Value::each).map(|path| path.word()) {
                    match self.file(&path) {
                        Some(text) => session.script(&Word::known_as(text)),
                        None => session.doubt(format!("the statements in {} can't be read", path.shown())),
                    }
                }
            }
        }
        for (parameter, why) in [
            ("newpassword", "it sets a new password"),
            ("failoverpartner", "it may go to another server"),
            ("appendconnectionstring", "it may go to another server"),
            ("sqlobject", "it is given an object that it turns into statements"),
            ("commandtype", "it runs a procedure"),
        ] {
            if bound.has(parameter) {
                session.doubt(why);
            }
        }
        if let Some(fault) = &bound.fault {
            session.doubt(fault.clone());
        }
        let unnamed = || vec![Host::Unknown("which server it reaches can only be told when it runs".into())];
        let hosts = match (server, bound.named.iter().find(|(name, _)| name == "connectionstring"), &met.input) {
            (_, Some((_, text)), _) => text.as_ref().map_or_else(unnamed, |text| vec![of_string(&text.word())]),
            (Some(server), None, _) => server.each().iter().map(|server| sqlcmd::server(&server.word())).collect(),
            (None, None, Some(_)) => unnamed(),
            // In a folder of the provider for SQL Server it goes to that folder's server.
            (None, None, None) => match &self.env.folder {
                Some(folder) if folder.known().is_none_or(|text| text.to_lowercase().contains("sql")) => unnamed(),
                _ => vec![Host::Same],
            },
        };
        session.report(hosts).effects
    }
}

/// The machine that a connection string names: `Server=db01;Database=x`.
fn of_string(text: &Word) -> Host {
    let unclear = || Host::Unknown("its connection string names the machine in a way that is not read".into());
    let Some(known) = text.known().filter(|text| !text.contains(['"', '\''])) else { return unclear() };
    let pairs = known.split(';').filter_map(|pair| pair.split_once('='));
    let named = |key: &str| {
        ["server", "data source", "address", "addr", "network address"].contains(&key.trim().to_lowercase().as_str())
    };
    if pairs.clone().any(|(key, _)| key.to_lowercase().contains("failover") || key.to_lowercase().contains("attach")) {
        return unclear();
    }
    let mut servers = pairs.filter(|(key, _)| named(key)).map(|(_, value)| value.trim());
    match (servers.next(), servers.next()) {
        (Some(server), None) => sqlcmd::server(&server.into()),
        (None, _) => Host::Same,
        _ => unclear(),
    }
}

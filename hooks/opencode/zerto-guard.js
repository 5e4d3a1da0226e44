// zerto-guard for OpenCode: asks the guard before each tool call, and stops the call unless the guard ended with 0.
//
// Goes to ~/.config/opencode/plugins/ or .opencode/plugins/. It judges nothing itself. Everything that keeps the guard from
// answering (it is missing, it was killed, it takes too long, the call can't be put into words) throws, which stops the call.

import { spawn } from "node:child_process";

const PROGRAM = "/usr/local/bin/zerto-guard";
const ARGUMENTS = ["hook", "--host", "opencode", "--host-timeout", "180s"];
// In milliseconds. The guard ends a call itself, and says why, well before.
const LIMIT = 180_000;
// More than the guard ever says, in characters.
const MOST = 65_536;

function ask(call) {
  const text = JSON.stringify(call);
  return new Promise((resolve, reject) => {
    const stop = (why) => reject(new Error(`zerto-guard: stopped this call: ${why}`));
    const child = spawn(PROGRAM, ARGUMENTS, { stdio: ["pipe", "ignore", "pipe"] });
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      stop("the guard took too long. Look at the ZVM and the network, then try again.");
    }, LIMIT);
    let said = "";
    child.stderr.setEncoding("utf8");
    child.stderr.on("data", (part) => {
      if (said.length < MOST) said += part.slice(0, MOST - said.length);
    });
    child.on("error", (error) => {
      clearTimeout(timer);
      stop(`${PROGRAM} can't be started (${error.message}). Install it there, or name its place in this plugin.`);
    });
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      if (code === 0 && signal === null) resolve();
      else if (code === 2 && said.trim() !== "") reject(new Error(said.trimEnd()));
      else stop(`the guard failed (${signal ?? `exit ${code}`}), so nothing is known to be guarded. ${said.trimEnd()}`);
    });
    // One that ends before it has read the call says so by how it ends.
    child.stdin.on("error", () => {});
    child.stdin.end(text);
  });
}

export const ZertoGuard = async ({ directory }) => ({
  "tool.execute.before": async ({ tool, sessionID, callID }, { args }) =>
    ask({ plugin: "zerto-guard", event: "tool.execute.before", tool, sessionID, callID, directory, args }),
});

// Written by `zerto-guard install opencode`; `zerto-guard uninstall opencode` takes it away.
//
// zerto-guard as a plugin of OpenCode: each tool call is judged before it runs, and noted when it is over.
//
// Whatever becomes of the guard (missing, killed, too slow, any end but 0), this throws, and OpenCode does not run the call.
// The next line has the paths of your machine.
const COMMAND = ["/usr/local/bin/zerto-guard", "hook", "--host", "opencode", "--host-timeout", "180s"];

import { spawnSync } from "node:child_process";

/** Longer than the guard takes to end by itself, in milliseconds: it keeps below its --host-timeout. */
const PATIENCE = 1000 * Number.parseInt(COMMAND[COMMAND.indexOf("--host-timeout") + 1], 10) + 5000;

function run(event, input, directory, more) {
  const call = { plugin: "zerto-guard", event, tool: input.tool, sessionID: input.sessionID, callID: input.callID, directory };
  const [program, ...words] = COMMAND;
  return spawnSync(program, words, {
    input: JSON.stringify({ ...call, ...more }),
    cwd: directory,
    encoding: "utf8",
    killSignal: "SIGKILL",
    maxBuffer: 1 << 24,
    timeout: PATIENCE,
  });
}

export const ZertoGuard = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    const ended = run("tool.execute.before", input, directory, { args: output.args ?? {} });
    if (ended.error || ended.status !== 0) {
      const how = ended.error ?? ended.signal ?? `it ended with ${ended.status}`;
      const said = (ended.stderr ?? "").trim();
      throw new Error(said || `zerto-guard: stopped this call, since the guard itself failed: ${how}`);
    }
  },
  "tool.execute.after": async (input, output) => {
    try {
      run("tool.execute.after", input, directory, { args: input.args ?? {}, output: output.output });
    } catch {
      // The call is over: nothing can be stopped any more.
    }
  },
});

// zerto-guard as a plugin of OpenCode: each tool call is judged before it runs.
//
// Whatever becomes of the guard (missing, killed, too slow, any end but 0), this throws, and OpenCode doesn't run the call.
// `zerto-guard install opencode` writes this file with the paths of your machine in the next line.
const COMMAND = ["/usr/local/bin/zerto-guard", "hook", "--host", "opencode", "--host-timeout", "180s"];

import { spawnSync } from "node:child_process";

/** Longer than the guard takes to end by itself, which it is told by --host-timeout. */
const PATIENCE_MS = 185_000;

function run(event) {
  const [program, ...words] = COMMAND;
  return spawnSync(program, words, { input: JSON.stringify(event), encoding: "utf8", timeout: PATIENCE_MS });
}

export const ZertoGuard = async ({ directory }) => ({
  "tool.execute.before": async (input, output) => {
    const ended = run({
      hook_event_name: "tool.execute.before",
      session_id: input.sessionID,
      call_id: input.callID,
      cwd: directory,
      tool_name: input.tool,
      tool_input: output.args ?? {},
    });
    if (ended.error || ended.status !== 0) {
      const why = (ended.stderr || "").trim();
      throw new Error(why || `zerto-guard: stopped this call, since the guard itself failed (${ended.error ?? ended.signal ?? ended.status})`);
    }
  },
});

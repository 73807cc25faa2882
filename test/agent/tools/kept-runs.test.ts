import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { KEPT_RUNS, recordRuns, type ToolRunRow } from "../../../src/agent/tools/run/tool-runs.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { tenant } from "../../support/client.ts";

describe("the runs of a tool", () => {
  const row = (n: number): ToolRunRow => ({
    id: `run_${n}`,
    tool_name: "mine",
    at: new Date(Date.now() + n).toISOString(),
    conversation_id: "c",
    tool_call_id: `call_${n}`,
    ok: true,
    status: 200,
    duration_ms: n,
    error: null,
  });

  it("are there once however often they are delivered, and the last 100 of each tool are kept", async () => {
    const { server, account } = await tenant();
    await server.post("/api/v1/tools", { name: "mine" });
    const store = accountStore(env, account, { actor: "test", request_id: "" });
    const rows = Array.from({ length: KEPT_RUNS + 20 }, (_, n) => row(n));
    await recordRuns(store, [{ ...row(0), tool_name: "other" }]);
    for (let i = 0; i < 2; i++) await recordRuns(store, rows.slice(1));
    const { runs } = (await server.get<{ runs: { duration_ms: number }[] }>("/api/v1/tools/mine/runs")).body;
    expect(runs.map(({ duration_ms }) => duration_ms)).toEqual(
      Array.from({ length: KEPT_RUNS }, (_, i) => KEPT_RUNS + 19 - i),
    );
    const kept = await env.DB.prepare("SELECT tool_name, count(*) n FROM tool_runs WHERE account = ? GROUP BY 1")
      .bind(account)
      .all();
    expect(kept.results).toEqual([
      { tool_name: "mine", n: KEPT_RUNS },
      { tool_name: "other", n: 1 },
    ]);
  });
});

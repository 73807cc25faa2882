import { runInDurableObject } from "cloudflare:test";
import { describe, expect, it } from "vitest";
import { toolRunReport } from "../../../src/agent/tools/run/tool-runs.ts";
import type { LedgerReport, ToolRunRow } from "../../../src/records/ledger/report.ts";
import { KEPT_RUNS } from "../../../src/records/ledger/tool-run-queries.ts";
import { type Tenant, tenant } from "../../support/client.ts";
import { newId } from "../../support/ids.ts";
import { haveVolumes, idAt, ledgerOf, volumeIn } from "../../support/ledger.ts";

const runsOf = async ({ server }: Pick<Tenant, "server">, tool = "mine") =>
  (await server.get<{ runs: { duration_ms: number }[] }>(`/api/v1/tools/${tool}/runs`)).body.runs;

/** Returns a run at `at` (ms) in the conversation with this id. */
function run(n: number, at: number, conversation_id: string, over: Partial<ToolRunRow> = {}): LedgerReport {
  const row: ToolRunRow = {
    id: newId(),
    tool_name: "mine",
    at: new Date(at).toISOString(),
    conversation_id,
    tool_call_id: `call_${n}`,
    ok: true,
    status: 200,
    duration_ms: n,
    error: null,
  };
  return toolRunReport(Object.assign(row, over));
}

describe("the runs of a tool", () => {
  it("a tool's last 100 runs are stored, each once however often it is delivered", async () => {
    const who = await tenant();
    await who.server.post("/api/v1/tools", { name: "mine" });
    const ledger = ledgerOf(who);
    const conversation = newId();
    const reports = Array.from({ length: KEPT_RUNS + 20 }, (_, n) => run(n, Date.now() + n, conversation));
    await ledger.report([run(0, Date.now(), newId(), { tool_name: "other" })]);
    for (let i = 0; i < 2; i++) await ledger.report(reports);
    expect((await runsOf(who)).map(({ duration_ms }) => duration_ms)).toEqual(
      Array.from({ length: KEPT_RUNS }, (_, i) => KEPT_RUNS + 19 - i),
    );
    const [day = ""] = await ledger.days();
    const kept = await runInDurableObject(volumeIn(who, day), (_, { storage }) =>
      storage.sql.exec("SELECT tool_name, count(*) n FROM tool_runs GROUP BY 1").toArray(),
    );
    expect(kept).toEqual([
      { tool_name: "mine", n: KEPT_RUNS },
      { tool_name: "other", n: 1 },
    ]);
  });

  it("a tool's runs are listed across all volumes, newest first, until the tool is deleted", async () => {
    const who = await tenant();
    const times = [-3, -2, -1, 0].map((days) => Date.now() + days * 86_400_000);
    const [first = "", , second = ""] = times.map((time) => new Date(time).toISOString().slice(0, 10));
    await haveVolumes(who, [first, second]);
    await who.server.post("/api/v1/tools", { name: "mine" });
    // Runs after the tool was created, in conversations that began in either volume.
    const reports = times.map((time, i) => run(i, Date.now() + i, idAt(new Date(time).toISOString())));
    await ledgerOf(who).report(reports);
    expect((await runsOf(who)).map(({ duration_ms }) => duration_ms)).toEqual([3, 2, 1, 0]);
    expect((await who.server.delete("/api/v1/tools/mine")).status).toBe(200);
    await who.server.post("/api/v1/tools", { name: "mine" });
    await ledgerOf(who).report([run(9, Date.now() - 60_000, newId())]);
    expect(await runsOf(who)).toEqual([]);
    const left = await Promise.all([first, second].map((day) => volumeIn(who, day).lastToolRuns("mine", "")));
    expect(left.flat().map(({ duration_ms }) => duration_ms)).toEqual([9]);
  });
});

import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { MAX_RUNS_A_MINUTE } from "../../../src/account/meter/tool-rates.ts";
import { RunCounter } from "../../../src/conversation/runtime/tools/count-run.ts";
import { readTool } from "../../../src/conversation/runtime/tools/read-tool.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { countingBindings } from "../../bench/yardstick/count-round-trips.ts";
import type { RoundTrips } from "../../bench/yardstick/trips.ts";
import { connected, isLast, prompt, recordOf, spoken } from "./conversing.ts";
import { callWithTool, modelAndVendor, thinksWithModel, toolMessages, toolsUsed, use } from "./tool-runs-support.ts";

afterEach(() => vi.unstubAllGlobals());

const NAME = "book_table";
const MINUTE = "too many tool calls in this minute; try again in a minute";

const SESSION = { agent_id: "a", key: "k", issued_at: 0, expires_at: 0 };

/** Makes the account's meter count this many runs. */
async function count(account: string, runner: { conversation: string; visitor: string | null }, runs: number) {
  const meter = env.ACCOUNT_METER.getByName(account);
  for (let n = 0; n < runs; n++) expect(await meter.admitToolRun(runner)).toEqual({ outcome: "admitted" });
}

describe("the rates of tool runs in a conversation", () => {
  it("a model is told in words that its tool runs are limited", async () => {
    const call = await callWithTool();
    const { sent } = modelAndVendor((request) => {
      const result = toolMessages(request).at(-1);
      return result
        ? [{ say: `It says: ${result}` }]
        : [{ call: { id: "c", name: NAME, arguments: { day: "Friday" } } }];
    });
    const socket = await connected(call);
    await thinksWithModel(call);
    const { id } = await recordOf(call);
    await count(call.account, { conversation: id, visitor: null }, MAX_RUNS_A_MINUTE);
    socket.send(prompt("A table for Friday, please."));
    expect(spoken(await socket.until(isLast))).toBe(`It says: Error: ${MINUTE}`);
    expect(toolsUsed(await recordOf(call))).toMatchObject([{ state: "failed", ok: false, result: MINUTE }]);
    expect(sent).toEqual([]);
  });

  it("a runtime beyond the rate of tool runs gets a 429 that it can retry", async () => {
    const call = await callWithTool();
    const { sent } = modelAndVendor(() => []);
    await call.client.get("/api/runtime/v1/session");
    const { id } = await recordOf(call);
    await count(call.account, { conversation: id, visitor: null }, MAX_RUNS_A_MINUTE);
    const refused = await use(call, NAME, { day: "Friday" }, "t1");
    expect([refused.status, refused.code]).toEqual([429, "tool_uses"]);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(toolsUsed(await recordOf(call))).toEqual([]);
    expect(sent).toEqual([]);
  });

  it("apply to a visitor across all conversations", async () => {
    const account = `limits-${crypto.randomUUID()}`;
    const visitor = { id: "v", type: "guest" } as const;
    const identity = {
      kind: "widget",
      visitor,
      key_id: "k",
      origin: null,
      made_by: null,
      account,
      ...SESSION,
    } as const;
    const counter = new RunCounter({ env, store: { identity, existing: { id: "second" } }, now: Date.now });
    await count(account, { conversation: "first", visitor: "guest v" }, MAX_RUNS_A_MINUTE);
    expect(await counter.count()).toMatchObject({ sentence: MINUTE });
  });
});

describe("the check whether a tool may run", () => {
  it("takes one D1 round trip parallel to one hop to the meter", async () => {
    const { account, agent_id } = await callWithTool();
    const trips: RoundTrips = { d1: 0, replica: 0, objects: 0 };
    const bindings = countingBindings(env, trips);
    const store = accountStore(bindings, account, { actor: "test", request_id: "" });
    const identity = { kind: "call", call_id: "c", campaign_id: null, account, ...SESSION } as const;
    const counter = new RunCounter({ env: bindings, store: { identity, existing: { id: "c" } }, now: Date.now });
    const found = await readTool(store, { name: NAME, agent_id, version: null });
    expect(await counter.count()).toBeNull();
    expect(found).toMatchObject({ tool: { name: NAME }, installs: [] });
    expect(trips).toEqual({ d1: 1, replica: 0, objects: 1 });
  });
});

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { MAX_RUNS_A_DAY } from "../../../src/account/meter/tool-rates.ts";
import type { Conversation } from "../../records/conversations/support.ts";
import { runtimeFor } from "../../support/runtime.ts";
import { claimsOf, type Session, type WidgetTenant, widgetTenant } from "../../support/widget.ts";
import { guest, readyOrClosed, talk, user } from "../leases/support.ts";
import { advanceClock, livesWith } from "./conversing.ts";
import { modelAndVendor, toolMessages, toolsUsed, use } from "./tool-runs-support.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const NAME = "look_up_table";
const TOOL = {
  name: NAME,
  description: "Looks up tables for a day.",
  implementation_config: { method: "GET", url: "https://api.vendor.example/tables/{day}" },
  schema: { type: "object", properties: { day: { type: "string" } }, required: ["day"] },
};
const DAY_MS = 24 * 60 * 60 * 1_000;
const FRIDAY = { day: "Friday" };

/** Creates an account whose agent has a tool, with a vendor that answers at once. */
async function withTool() {
  const who = await widgetTenant();
  await who.server.post("/api/v1/tools", TOOL);
  await who.server.post(`/api/v1/agents/${who.agentId}/tools`, { tool_name: NAME });
  const requested: string[] = [];
  vi.stubGlobal("fetch", async (input: RequestInfo | URL) => {
    requested.push(new Request(input).url);
    return Response.json("free");
  });
  return { who, requested };
}

/** Records this many runs of the visitor today. */
async function hadRuns({ account }: WidgetTenant, { visitor }: Session, runs: number): Promise<void> {
  const meter = env.ACCOUNT_METER.getByName(account) as unknown as DurableObjectStub;
  await runInDurableObject(meter, (_, { storage }) => {
    const day = Math.floor(Date.now() / DAY_MS);
    storage.sql.exec(
      "INSERT OR REPLACE INTO tool_runs_of_day (visitor, day, runs) VALUES (?, ?, ?)",
      `${visitor.type} ${visitor.id}`,
      day,
      runs,
    );
  });
}

const run = (who: WidgetTenant, { access_token }: Session, id: string) =>
  use({ client: runtimeFor(who, access_token) }, NAME, FRIDAY, id);
const leftOfDay = () => (new Date().setUTCHours(24, 0, 0, 0) - Date.now()) / 1_000;

describe("a visitor's tool runs of a day", () => {
  it("a visitor may cause 600 tool runs a day across all conversations", async () => {
    const { who, requested } = await withTool();
    const [first, second] = [await user(who, "ada"), await user(who, "ada")];
    expect((await run(who, first, "t1")).status).toBe(200);
    await hadRuns(who, first, MAX_RUNS_A_DAY - 1);
    expect((await run(who, first, "t2")).status).toBe(200);
    const left = leftOfDay();
    const refused = [await run(who, first, "t3"), await run(who, second, "t1")];
    expect(refused.map(({ status, code }) => [status, code])).toEqual(Array(2).fill([429, "tool_uses"]));
    for (const { headers } of refused) {
      expect(Number(headers.get("retry-after"))).toBeGreaterThan(left - 60);
      expect(Number(headers.get("retry-after"))).toBeLessThanOrEqual(left + 1);
    }
    expect(requested).toHaveLength(2);
    expect((await run(who, await user(who, "bob"), "t1")).status).toBe(200);
    // A guest with the same name as a user is a different person.
    expect((await run(who, await guest(who), "t1")).status).toBe(200);
    const { session_id } = (
      await runtimeFor(who, first.access_token).get<{ session_id: string }>("/api/runtime/v1/session")
    ).body;
    const record = await vi.waitFor(
      async () => {
        const { status, body } = await who.server.get<Conversation>(`/api/v1/conversations/${session_id}`);
        expect(status).toBe(200);
        return body;
      },
      { interval: 10 },
    );
    expect(toolsUsed(record).map(({ tool_call_id }) => tool_call_id)).toEqual(["t1", "t2"]);
  });

  it("start from zero the next day", async () => {
    const { who } = await withTool();
    const before = await user(who, "ada");
    expect((await run(who, before, "t1")).status).toBe(200);
    await hadRuns(who, before, MAX_RUNS_A_DAY);
    expect((await run(who, before, "t2")).status).toBe(429);
    advanceClock(DAY_MS);
    expect((await run(who, await user(who, "ada"), "t1")).status).toBe(200);
  });

  it("return a message to the model beyond the limit, and send no request", async () => {
    const { who } = await withTool();
    const { sent } = modelAndVendor((request) => {
      const result = toolMessages(request).at(-1);
      return result ? [{ say: `It says: ${result}` }] : [{ call: { id: "c", name: NAME, arguments: FRIDAY } }];
    });
    const session = await user(who, "ada");
    await livesWith(who, String(claimsOf(session.access_token).fam), {
      LLM_BASE_URL: "http://model.test/v1",
      LLM_MODEL: "m",
    });
    const socket = await talk(session.access_token);
    expect(await readyOrClosed(socket)).toBe("ready");
    await socket.until(({ type }) => type === "message");
    await hadRuns(who, session, MAX_RUNS_A_DAY);
    socket.send({ type: "message", text: "Is there a table on Friday?" });
    const answer = (await socket.until(({ type }) => type === "message")).at(-1);
    expect(answer?.text).toBe("It says: Error: too many tool calls today; try again tomorrow");
    expect(sent).toEqual([]);
  });
});

import { runInDurableObject } from "cloudflare:test";
import { env, exports } from "cloudflare:workers";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { accountStore } from "../../src/kernel/durable/account-stores.ts";
import { transferCall } from "../../src/phone/calls/transfer-call.ts";
import { vendor } from "../agent/tools/support.ts";
import { contactsCsv, until, upload } from "../campaign/support.ts";
import { ask, conversing, hasEnded, QUESTION, recordOnce } from "../conversation/runtime/conversing.ts";
import { confirmed, confirmTokenOf } from "../mcp/support.ts";
import { caller, getCall, isOver, originate, report, setTargets, settled, slowly } from "../phone/calls/support.ts";
import { playbackPath, recordingOf } from "../phone/recordings/support.ts";
import { BASE, type Client, tenant } from "../support/client.ts";
import { stopWatching, watchWrites, writesOf } from "../support/d1-writes.ts";
import { firstVolume } from "../support/ledger.ts";
import { page, type Session, visitorToken, widgetTenant } from "../support/widget.ts";
import { happenings, take } from "./events/support.ts";

/**
 * The writes that calls, conversations, visitors and events may cause in D1. Any other write would grow with every use.
 */
const ALLOWED: ReadonlySet<string> = new Set([
  // The totals of a day, and the gauges of the object that writes them.
  "INSERT account_days",
  "UPDATE account_days",
  "INSERT object_gauges",
  "UPDATE object_gauges",
  // Last-used stamps, at most once a minute.
  "UPDATE api_keys",
  "UPDATE widget_keys",
  // Rows that expire within 8 days.
  "INSERT spent_tokens",
  "INSERT visitor_families",
  "UPDATE visitor_families",
]);

const TO = "+13035550110";
const TARGET = "+12025550177";

beforeAll(watchWrites);
afterAll(stopWatching);
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** An account, and a use of it that can be repeated without limit. */
interface Use {
  account: string;
  run(): Promise<unknown>;
}

async function ok(sent: Promise<{ status: number }>): Promise<void> {
  expect((await sent).status).toBeLessThan(300);
}

/** Prepares each use first, so that only the use itself is counted. */
const USES: Record<string, () => Promise<Use>> = {
  "a call that is answered and ends": async () => {
    const who = await caller();
    await slowly(who);
    const run = async () => {
      const { call_id } = (await originate(who, TO)).body;
      for (const status of ["ringing", "in-progress", "completed"]) await report(who, call_id, { status });
      await settled(who.server, call_id, isOver);
    };
    return { account: who.account, run };
  },
  "a call that is hung up": async () => {
    const who = await caller();
    await slowly(who);
    const run = async () => {
      const { call_id } = (await originate(who, TO)).body;
      await ok(who.server.post(`/api/v1/calls/${call_id}/hangup`));
    };
    return { account: who.account, run };
  },
  "a call that is transferred": async () => {
    const who = await caller();
    await slowly(who, { SANDBOX_RING_MS: "0" });
    await setTargets(who, { Desk: TARGET });
    const run = async () => {
      const { call_id } = (await originate(who, TO)).body;
      await settled(who.server, call_id, ({ connected_at }) => connected_at !== null);
      const store = accountStore(env, who.account, { actor: "conversation:x", request_id: "" });
      const order = { callId: call_id, agentId: who.agent_id, toNumber: TARGET };
      await transferCall({ env: env as never, store, now: Date.now() }, order);
    };
    return { account: who.account, run };
  },
  "a call that an assistant places over MCP": async () => {
    const who = await caller();
    const { agent_id, from_number } = who;
    const order = { agent_id, from_number, to_number: TO };
    const run = async () => {
      const confirm = await confirmTokenOf(who.server, "place_call", order);
      expect(await confirmed(who.server, "place_call", { ...order, confirm })).toContain("call_id");
    };
    return { account: who.account, run };
  },
  "a visitor who signs in": async () => {
    const who = await widgetTenant();
    await visitorToken(who);
    const run = async () => {
      const { body } = await page().guest(who.widgetKey.key);
      await ok(page().refresh(body.refresh_token));
      const exchanged = await page().exchange(await visitorToken(who));
      await ok(page().refresh((exchanged.body as Session).refresh_token));
    };
    return { account: who.account, run };
  },
  "a session to try an agent": async () => {
    const who = await tenant();
    const { id } = (await who.server.post<{ id: string }>("/api/v1/agents", { name: "Ada" })).body;
    return { account: who.account, run: () => ok(who.server.post(`/api/v1/agents/${id}/session`)) };
  },
  "a try of a tool": async () => {
    const who = await tenant();
    const implementation_config = { url: "https://api.vendor.example/orders" };
    await ok(who.server.post("/api/v1/tools", { name: "look_up", implementation_config }));
    vendor(() => Response.json({}));
    return { account: who.account, run: () => ok(who.server.post("/api/v1/tools/look_up/run", { arguments: {} })) };
  },
  "a recording that is played and deleted": async () => {
    const who = await caller();
    const run = async () => {
      const { call_id } = (await originate(who, TO)).body;
      const { id } = await recordingOf(who.server, call_id);
      const path = await playbackPath(who.server, id);
      const played = await exports.default.fetch(new Request(BASE + path));
      expect(played.status).toBe(200);
      await played.arrayBuffer();
      await ok(who.server.delete(`/api/v1/recordings/${id}`));
    };
    return { account: who.account, run };
  },
  "exports of calls and conversations": async () => {
    const who = await tenant();
    const run = async () => {
      for (const list of ["calls", "conversations"]) await ok(who.server.get(`/api/v1/${list}/export`));
    };
    return { account: who.account, run };
  },
  "an event": async () => {
    const { account } = await tenant();
    return { account, run: () => take(account, happenings(1, 3)) };
  },
};

describe("D1 is not written", () => {
  it.each(Object.entries(USES))("D1 is not written by %s", async (_, prepare) => {
    const { account, run } = await prepare();
    const writes = await writesOf(account, async () => {
      await run();
      await run();
    });
    expect(Object.keys(writes).filter((what) => !ALLOWED.has(what))).toEqual([]);
  });

  it("D1 is not written by a caller's conversation, from its beginning to its record", async () => {
    const { call, socket } = await conversing();
    const { account } = call;
    const writes = await writesOf(account, async () => {
      await ask(socket, QUESTION);
      socket.close();
      await recordOnce(call, hasEnded);
      const { server } = call;
      const { conversation_id } = await getCall(server, call.call_id);
      await ok(server.delete(`/api/v1/conversations/${conversation_id}`));
    });
    expect(Object.keys(writes).filter((what) => !ALLOWED.has(what))).toEqual([]);
  });

  it("D1 is not written when a campaign's contact is cancelled", async () => {
    const { server, account } = await tenant();
    const { id } = (await upload(server, contactsCsv(3))).body;
    const { contacts } = (await server.get<{ contacts: { id: string }[] }>(`/api/v1/campaigns/${id}/contacts`)).body;
    const has = (client: Client) => client.get<{ total: number }>("/api/v1/audit-log?action=cancel_contact");
    const writes = await writesOf(account, async () => {
      await ok(server.post(`/api/v1/campaigns/${id}/contacts/${contacts[0]?.id}/cancel`));
      await until(
        async () => (await has(server)).body.total,
        (total) => total === 1,
      );
    });
    expect(Object.keys(writes)).not.toContain("INSERT audit_log");
  });
});

describe("the cost of a use", () => {
  /** Repeats a use and returns the bytes that each repetition adds to D1 and to the ledger, rounded. */
  async function bytesOf(name: string, times: number): Promise<{ d1: number; ledger: number }> {
    const prepare = USES[name];
    if (prepare === undefined) throw new Error(`unknown use: ${name}`);
    const { account, run } = await prepare();
    const size = async () => {
      const { meta } = await env.DB.prepare("SELECT 1").run();
      const ledger = await runInDurableObject(await firstVolume(account), (_, { storage }) => storage.sql.databaseSize);
      return { d1: meta.size_after, ledger };
    };
    await run();
    const before = await size();
    for (let n = 0; n < times; n++) await run();
    const after = await size();
    const per = (store: "d1" | "ledger") => Math.round((after[store] - before[store]) / times);
    return { d1: per("d1"), ledger: per("ledger") };
  }

  it.each([
    ["a call that is hung up", 5_000],
    ["an event", 0],
  ])("%s adds no byte to D1", async (name, ledger) => {
    const bytes = await bytesOf(name, 100);
    expect(bytes.d1).toBe(0);
    expect(bytes.ledger).toBeLessThanOrEqual(ledger);
  });

  it("two visitors who sign in add less than 1 KB to D1, in rows that expire", async () => {
    expect((await bytesOf("a visitor who signs in", 50)).d1).toBeLessThan(1_000);
  });
});

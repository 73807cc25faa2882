import { afterEach, describe, expect, it, vi } from "vitest";
import { createBudget } from "../account/budgets/support.ts";
import { sessionOf, show } from "../conversation/agent-sessions/support.ts";
import { guest, talk } from "../conversation/leases/support.ts";
import { connected, greetedSession, isLast, prompt } from "../conversation/runtime/conversing.ts";
import { modelAndVendor, nextRequest } from "../conversation/runtime/tool-runs-support.ts";
import { type Hops, watched } from "../support/hops.ts";
import type { Frame, RuntimeSocket } from "../support/runtime.ts";
import { claimsOf, type WidgetTenant, widgetTenant } from "../support/widget.ts";

afterEach(() => vi.unstubAllGlobals());

const MODEL = { LLM_BASE_URL: "http://model.test/v1", LLM_MODEL: "m" };
const TOOL = {
  name: "book_table",
  description: "Books a table for a day.",
  implementation_config: { method: "POST", url: "https://api.vendor.example/bookings", body: { day: "{day}" } },
  schema: { type: "object", properties: { day: { type: "string" } }, required: ["day"] },
};
const isWhole = ({ type }: Frame) => type === "message";

/** A person who talks over a socket, and the outgoing calls of their conversation's object. */
interface Talk {
  socket: RuntimeSocket;
  hops: Hops;
  /** Says something, and waits for the complete answer. */
  ask(): Promise<void>;
}

const WAIT = { interval: 5 };
/** Waits until these calls were made, and all calls have returned. */
const settled = (hops: Hops, ...names: string[]) =>
  vi.waitFor(() => expect([hops.taken, hops.areDone]).toEqual([expect.arrayContaining(names), true]), WAIT);
/** Waits until the conversation is listed and has its first credit. */
const begun = (hops: Hops) => settled(hops, "ACCOUNT_METER.admit", "ACCOUNT_METER.renew", "ACCOUNT_LEDGER.report");

function talking(hops: Hops, socket: RuntimeSocket, words: Frame, isEnd: (frame: Frame) => boolean): Talk {
  const ask = async () => {
    hops.taken = [];
    socket.send(words);
    await socket.until(isEnd);
  };
  return { socket, hops, ask };
}

async function visitor(who: WidgetTenant): Promise<Talk> {
  const { access_token } = await guest(who);
  const hops = await watched(who, String(claimsOf(access_token).fam), MODEL);
  const socket = await talk(access_token);
  await socket.until(isWhole);
  await begun(hops);
  return talking(hops, socket, { type: "message", text: "Are you open?" }, isWhole);
}

async function tester(who: WidgetTenant): Promise<Talk> {
  const { access_token, conversation_id } = await sessionOf(who.user, who.agentId);
  const hops = await watched(who, conversation_id, MODEL);
  const socket = await show(access_token);
  await socket.until(isWhole);
  await begun(hops);
  // The access is checked after the lease is taken, so that no revocation is missed.
  expect(hops.taken.indexOf("ACCOUNT_GATE.mayStay")).toBeGreaterThan(hops.taken.indexOf("ACCOUNT_METER.admit"));
  return talking(hops, socket, { type: "message", text: "Are you open?" }, isWhole);
}

async function callOf(): Promise<Talk> {
  const call = await greetedSession();
  const hops = await watched(call, call.call_id, MODEL);
  const socket = await connected(call);
  await begun(hops);
  return talking(hops, socket, prompt("Are you open?"), isLast);
}

/** Creates a model that says this, and records the outgoing calls at the time of each request. */
function answering(hops: () => Hops): string[][] {
  const before: string[][] = [];
  modelAndVendor(() => {
    before.push([...hops().taken]);
    return [{ say: "We are " }, { say: "open." }];
  });
  return before;
}

describe("the round trips of a turn", () => {
  it.each<[string, (made: { who: WidgetTenant }) => Promise<Talk>]>([
    ["a visitor's", ({ who }) => visitor(who)],
    ["a tester's", ({ who }) => tester(who)],
    ["a caller's", () => callOf()],
  ])("a turn costs no round trip before the last word while credit lasts: %s", async (_, begin) => {
    let one: Talk | null = null;
    const before = answering(() => one?.hops ?? expect.fail("nobody talks"));
    one = await begin({ who: await widgetTenant() });
    for (let turn = 0; turn < 2; turn++) {
      one.hops.hold();
      await one.ask();
      expect(before.at(-1)).toEqual([]);
      await vi.waitFor(() => expect(one?.hops.taken).toEqual(["ACCOUNT_METER.renew"]), WAIT);
      one.hops.release();
      await settled(one.hops);
    }
  });

  it("a turn costs one trip to the meter when a limit is near", async () => {
    const who = await widgetTenant();
    let one: Talk | null = null;
    const before = answering(() => one?.hops ?? expect.fail("nobody talks"));
    await createBudget(who, { limit: 12_000, action: "end" });
    one = await visitor(who);
    await one.ask();
    expect(before.at(-1)).toEqual(["ACCOUNT_METER.reserveRequest"]);
  });

  it("a turn with a tool does not wait for credit, because it is requested while the tool runs", async () => {
    const who = await widgetTenant();
    await who.server.post("/api/v1/tools", TOOL);
    await who.server.post(`/api/v1/agents/${who.agentId}/tools`, { tool_name: TOOL.name });
    const { sent } = modelAndVendor(({ messages }) =>
      messages.at(-1)?.role === "tool"
        ? [{ say: "It is booked." }]
        : [{ call: { id: crypto.randomUUID(), name: TOOL.name, arguments: { day: "Friday" } } }],
    );
    const one = await visitor(who);
    one.hops.taken = [];
    one.socket.send({ type: "message", text: "A table for Friday, please." });
    const { answer } = await nextRequest(sent);
    const whileRunning = [...new Set(one.hops.taken)].toSorted();
    one.hops.hold();
    answer("booked");
    await one.socket.until(isWhole);
    expect(whileRunning).toEqual(["ACCOUNT_METER.admitToolRun", "ACCOUNT_METER.renew", "DB.batch", "DB.prepare"]);
    one.hops.release();
  });
});

import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { openRuntime } from "../../support/runtime.ts";
import { advanceClock, connected, hasEnded, isLast, prompt, recordOf, recordOnce, spoken, wake } from "./conversing.ts";
import {
  callWithTool,
  crash,
  type ModelRequest,
  modelAndVendor,
  nextRequest,
  thinksWithModel,
  toolMessages,
  toolsUsed,
} from "./tool-runs-support.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const UNKNOWN = "outcome unknown: it may have happened; do not repeat it, and say so";
const FRIDAY = { day: "Friday" };

/** Plays a model that books once and reports the state of the booking. */
function booking(request: ModelRequest) {
  const [result] = toolMessages(request).slice(-1);
  if (result === undefined || result === null)
    return [{ say: "One moment." }, { call: { id: "c", name: "book_table", arguments: FRIDAY } }];
  return [{ say: /still running/i.test(result) ? "I am still on it." : `It says: ${result}.` }];
}

/** Creates a call whose agent is booking: the vendor has not answered the request yet. */
async function bookingCall() {
  const call = await callWithTool();
  const { sent, modelRequests } = modelAndVendor(booking);
  const socket = await connected(call);
  await thinksWithModel(call);
  socket.send(prompt("A table for Friday, please."));
  expect(spoken(await socket.until(isLast))).toBe("One moment.");
  return { call, socket, sent, modelRequests, vendor: await nextRequest(sent) };
}

describe("a tool that runs while its caller does something else", () => {
  it("runs once however often the caller asks, and the agent says so until it has the result", async () => {
    const { call, socket, sent, vendor } = await bookingCall();
    for (const words of ["Hello?", "Are you there?"]) {
      socket.send(prompt(words));
      expect(spoken(await socket.until(isLast))).toBe("I am still on it.");
    }
    expect(toolsUsed(await recordOf(call))).toMatchObject([{ state: "running", ok: null, result: null }]);
    vendor.answer("booked");
    expect(spoken(await socket.until(isLast))).toBe("It says: booked.");
    expect(sent).toHaveLength(1);
    const [used, ...others] = toolsUsed(await recordOf(call));
    expect(others).toEqual([]);
    expect(used).toMatchObject({ name: "book_table", ok: true, result: "booked", state: "ok" });
    expect(vendor.request.headers.get("idempotency-key")).toBe(used?.run_id);
  });

  it("a second call of a running tool with the same arguments shares its run", async () => {
    const { call, socket, sent, vendor } = await bookingCall();
    const again = modelAndVendor((request) => {
      const results = toolMessages(request);
      return results.some((text) => text === "booked")
        ? [{ say: `${results.length} results.` }]
        : [{ call: { id: `c${results.length}`, name: "book_table", arguments: { day: "Friday" } } }];
    });
    socket.send(prompt("Please book it now."));
    await vi.waitFor(async () => expect(toolsUsed(await recordOf(call))).toHaveLength(2));
    vendor.answer("booked");
    expect(spoken(await socket.until(isLast))).toBe("2 results.");
    expect([...sent, ...again.sent]).toHaveLength(1);
    const [first, second] = toolsUsed(await recordOf(call));
    expect(second).toMatchObject({ run_id: first?.run_id, state: "ok", result: "booked" });
    expect(second?.tool_call_id).not.toBe(first?.tool_call_id);
  });

  it("returns its result to a caller who reconnected meanwhile", async () => {
    const { call, socket, sent, vendor } = await bookingCall();
    socket.send(prompt("Hello?"));
    expect(spoken(await socket.until(isLast))).toBe("I am still on it.");
    socket.close(4000);
    const back = await openRuntime(call.session_token);
    expect(spoken(await back.until(isLast))).toBe("I am still on it.");
    vendor.answer("booked");
    expect(spoken(await back.until(isLast))).toBe("It says: booked.");
    expect(sent).toHaveLength(1);
  });

  it("continues when the caller hangs up, and the record waits for it", async () => {
    const { call, socket, sent, vendor } = await bookingCall();
    socket.close();
    const open = await recordOnce(call, hasEnded);
    expect([open.complete, toolsUsed(open)]).toMatchObject([false, [{ state: "running" }]]);
    vendor.answer("booked");
    const record = await recordOnce(call, ({ complete }) => complete);
    expect(toolsUsed(record)).toMatchObject([{ state: "ok", result: "booked" }]);
    expect(sent).toHaveLength(1);
    const archived = await vi.waitFor(async () => {
      await wake(call, call.call_id);
      const file = await env.CONVERSATIONS.get(`${call.account}/${record.id}.json`);
      if (!file) throw new Error("nothing is archived");
      return file.json<typeof record>();
    });
    expect(toolsUsed(archived)).toEqual(toolsUsed(record));
  });

  it("a tool run without a result 60 s after the end is archived as unknown", async () => {
    const { call, socket, vendor } = await bookingCall();
    socket.close();
    await recordOnce(call, hasEnded);
    advanceClock(61_000);
    await wake(call, call.call_id);
    const record = await recordOf(call);
    expect(toolsUsed(record)).toMatchObject([{ state: "unknown", ok: false, result: UNKNOWN }]);
    vendor.answer("booked");
  });

  it("a tool run whose process was lost is not repeated and the agent calls its outcome unknown", async () => {
    const { call, sent } = await bookingCall();
    await crash(call);
    await thinksWithModel(call);
    const socket = await openRuntime(call.session_token);
    expect(spoken(await socket.until(isLast))).toBe(`It says: ${UNKNOWN}.`);
    expect(sent).toHaveLength(1);
    expect(toolsUsed(await recordOf(call))).toMatchObject([{ state: "unknown", ok: false, result: UNKNOWN }]);
  });
});

import { afterEach, describe, expect, it, vi } from "vitest";
import { LedgerOwner } from "../../../src/phone/calls/live/ledger-owner.ts";
import { getCall } from "../../phone/calls/support.ts";
import { advanceClock, ask, conversing, hasEnded, objectOf, prompt, QUESTION, recordOnce, wake } from "./conversing.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/**
 * Creates a conversation that ended this way, and returns its state after the upkeep at each of these seconds past its
 * end.
 */
async function ended(how: "by us" | "by us, and known to be over" | "by the caller", ...seconds: number[]) {
  const { call, socket } = await conversing();
  await ask(socket, QUESTION);
  if (how === "by the caller") socket.close();
  else socket.send(prompt("Okay, goodbye!"));
  await socket.closed;
  await recordOnce(call, hasEnded);
  if (how === "by us, and known to be over") await objectOf(call, call.call_id).callEnded();
  for (const s of seconds) {
    advanceClock(s * 1000);
    await wake(call, call.call_id);
  }
  vi.useRealTimers();
  return getCall(call.server, call.call_id);
}

describe("a call that continues after our runtime has ended its conversation", () => {
  it("a call that outlasts its conversation is hung up in case the carrier's request was lost", async () => {
    expect(await ended("by us", 26)).toMatchObject({ status: "completed", end_reason: "hangup" });
  });

  it("a call that outlasts its conversation is hung up at the next upkeep if the process is lost before the request is recorded", async () => {
    vi.spyOn(LedgerOwner.prototype, "hangUp").mockRejectedValueOnce(new Error("the process is lost"));
    expect(await ended("by us", 26, 30)).toMatchObject({ status: "completed", end_reason: "hangup" });
  });

  it("a call that outlasts its conversation gets time to speak the last words", async () => {
    expect(await ended("by us", 10)).toMatchObject({ status: "in-progress" });
  });

  it("a call that its caller ended is left to its carrier", async () => {
    expect(await ended("by the caller", 26)).toMatchObject({ status: "in-progress" });
  });

  it("a call whose end was reported is not looked up", async () => {
    expect(await ended("by us, and known to be over", 26)).toMatchObject({ status: "in-progress" });
  });
});

import { afterEach, describe, expect, it, vi } from "vitest";
import { getCall } from "../../phone/calls/support.ts";
import { evict } from "../../support/evict.ts";
import { openRuntime } from "../../support/runtime.ts";
import {
  advanceClock,
  conversing,
  GREETING,
  hasEnded,
  linesOf,
  objectOf,
  prompt,
  QUESTION,
  recordOf,
  recordOnce,
  wake,
} from "./conversing.ts";

afterEach(() => {
  vi.useRealTimers();
});

describe("a conversation that turns out to be held with a machine", () => {
  it("falls silent and ends as machine when the carrier closes the socket", async () => {
    const { call, socket } = await conversing();
    const object = objectOf(call, call.call_id);
    await object.machineAnswered();
    await object.machineAnswered();
    for (const words of ["You have reached the mailbox of", "Please leave a message.", QUESTION])
      socket.send(prompt(words));
    // Another socket that holds the call gets no words either.
    const other = await openRuntime(call.session_token);
    socket.close();
    other.close();
    const over = await recordOnce(call, hasEnded);
    expect(linesOf(over)).toEqual([`agent: ${GREETING}`]);
    expect(over).toMatchObject({ end_reason: "machine", complete: true, turn_count: 1 });
  });

  it("stays silent after its object is rebuilt", async () => {
    const { call, socket } = await conversing();
    await objectOf(call, call.call_id).machineAnswered();
    await recordOf(call);
    await evict(objectOf(call, call.call_id));
    socket.send(prompt(QUESTION));
    await objectOf(call, call.call_id).callEnded();
    expect(linesOf(await recordOnce(call, hasEnded))).toEqual([`agent: ${GREETING}`]);
    expect((await recordOf(call)).end_reason).toBe("machine");
  });

  it("ends as machine even if the carrier reports it after the end", async () => {
    const { call, socket } = await conversing();
    socket.close();
    expect((await recordOnce(call, hasEnded)).end_reason).toBe("caller_hung_up");
    await objectOf(call, call.call_id).callEnded("machine");
    await recordOnce(call, ({ end_reason }) => end_reason === "machine");
  });

  it("does not hang up the call while a message is left", async () => {
    const { call } = await conversing();
    const object = objectOf(call, call.call_id);
    await object.machineAnswered();
    await object.end("silence");
    expect((await recordOnce(call, hasEnded)).end_reason).toBe("machine");
    advanceClock(26_000);
    await wake(call, call.call_id);
    vi.useRealTimers();
    expect(await getCall(call.server, call.call_id)).toMatchObject({ status: "in-progress" });
  });

  it("a report of a machine is ignored if there is no conversation", async () => {
    const { call } = await conversing();
    const nobody = objectOf(call, crypto.randomUUID());
    await nobody.machineAnswered();
    await nobody.callEnded("machine");
    expect(await nobody.detail()).toBeNull();
  });
});

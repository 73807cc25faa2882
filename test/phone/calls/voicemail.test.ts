import { env } from "cloudflare:workers";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { CALL_VOICEMAIL } from "../../../src/phone/call-settings/settings.ts";
import { reconcileCalls } from "../../../src/phone/calls/reconcile-calls.ts";
import { MACHINES } from "../../../src/records/ledger/call-status.ts";
import { MESSAGE_STATES, machineStep } from "../../../src/records/ledger/machine-message.ts";
import { breakLedger, onLedger } from "../../support/ledger.ts";
import {
  type Caller,
  caller,
  getCall,
  isOver,
  originate,
  report,
  running,
  sandboxOf,
  settled,
  withVars,
} from "./support.ts";

/** Creates an account whose sandbox rings briefly and talks long enough that nothing ends by itself. */
async function world(talk = "7200000") {
  const who = await caller();
  await who.server.patch(`/api/v1/agents/${who.agent_id}`, { greeting_message: "Hello {{name}}." });
  await withVars(sandboxOf(who), { SANDBOX_RING_MS: "1", SANDBOX_TALK_MS: talk });
  return who;
}
async function answered(voicemail?: string, who?: Caller) {
  const one = who ?? (await world());
  const more = { variables: { name: "Ann" }, ...(voicemail && { voicemail }) };
  const { body, status } = await originate(one, "+13035550105", more);
  expect(status).toBe(200);
  await settled(one.server, body.call_id, (call) => call.status === "in-progress");
  const machine = (kind = "recording") =>
    report(one, body.call_id, { status: "in-progress", answered_by: "machine", machine: kind });
  return { who: one, id: body.call_id, machine };
}
async function stateOf({ account }: Caller, id: string) {
  const [row] = await onLedger<{ message: string | null }>(account, "SELECT message FROM calls WHERE id = ?", id);
  return row?.message;
}
const MACHINE_ANSWERED = `UPDATE calls SET metadata = '{"answered_by":"machine"}' WHERE id = ?`;
/** Makes the gate check the call now, as after a restart. */
const reconcile = ({ account }: Caller, callId: string, now = Date.now()) =>
  reconcileCalls({ env, store: accountStore(env, account, { actor: "test", request_id: "" }), clock: () => now }, [
    { callId, hangUp: false },
  ]);

describe("a single call that a machine answers", () => {
  it("a call that a machine answers is hung up by default and frees its slot", async () => {
    const { who, id, machine } = await answered();
    expect(await running(who.server)).toBe(1);
    expect((await machine()).status).toBe(204);
    expect(await getCall(who.server, id)).toMatchObject({
      status: "completed",
      end_reason: "machine",
      metadata: { answered_by: "machine" },
    });
    expect(await running(who.server)).toBe(0);
  });

  it("gets the greeting once as a message, and is then hung up", async () => {
    const { who, id, machine } = await answered("leave_message");
    expect((await machine("greeting")).status).toBe(204);
    expect(await stateOf(who, id)).toBe("greeting");
    expect((await getCall(who.server, id)).status).toBe("in-progress");
    await Promise.all([machine(), machine()]);
    expect(await stateOf(who, id)).toBe("left");
    expect(await getCall(who.server, id)).toMatchObject({ status: "in-progress", metadata: { message_left: true } });
  });

  it("a call that a machine answers continues if the setting is continue", async () => {
    const { who, id, machine } = await answered("continue");
    await machine();
    expect(await getCall(who.server, id)).toMatchObject({
      status: "in-progress",
      metadata: { answered_by: "machine" },
    });
    expect(await running(who.server)).toBe(1);
  });

  it("a single call that a machine answers is handled by the account's setting by default", async () => {
    const who = await world();
    expect((await who.server.get("/api/v1/call-settings")).body).toMatchObject({ voicemail: "hang_up" });
    expect((await who.server.patch("/api/v1/call-settings", { voicemail: "continue" })).status).toBe(200);
    const { id, machine } = await answered(undefined, who);
    await machine();
    expect((await getCall(who.server, id)).status).toBe("in-progress");
    for (const [path, body] of [
      ["/api/v1/call-settings", { voicemail: "retry" }],
      ["/api/v1/call-settings", { voicemail: null }],
    ] as const)
      expect((await who.server.patch(path, body)).status).toBe(400);
    expect((await originate(who, "+13035550105", { voicemail: "retry" })).status).toBe(400);
  });

  it("the sandbox's number 05 shows every handling of a machine", async () => {
    const who = await world("200");
    const shown = async (voicemail: string) => {
      const { body } = await originate(who, "+13035550105", { voicemail });
      const { end_reason, metadata } = await settled(who.server, body.call_id, isOver);
      return [end_reason, metadata.answered_by ?? null, metadata.message_left ?? null];
    };
    expect(await shown("hang_up")).toEqual(["machine", "machine", null]);
    expect(await shown("leave_message")).toEqual(["machine", "machine", true]);
    expect(await shown("continue")).toEqual(["machine", "machine", null]);
    expect(await shown("off")).toEqual(["answered", null, null]);
  });
});

describe("work on a machine that a crash interrupted", () => {
  it("the reconciliation hangs up the machine after a crash", async () => {
    const { who, id } = await answered();
    await onLedger(who.account, MACHINE_ANSWERED, id);
    await reconcile(who, id);
    expect(await getCall(who.server, id)).toMatchObject({ status: "completed", end_reason: "machine" });
  });

  it("a machine that takes no message is hung up after a crash", async () => {
    const { who, id } = await answered("leave_message");
    await onLedger(who.account, MACHINE_ANSWERED, id);
    await reconcile(who, id);
    expect(await getCall(who.server, id)).toMatchObject({ status: "completed", end_reason: "machine" });
  });

  it("a machine's call never ends without the message that is due", async () => {
    const { who, id, machine } = await answered("leave_message");
    const { repair } = await breakLedger(who.account, "NEW.message = 'due'");
    expect((await machine()).status).toBe(500);
    expect((await getCall(who.server, id)).metadata).toEqual({});
    await repair();
    expect((await machine()).status).toBe(204);
    expect(await stateOf(who, id)).toBe("left");
  });

  it("a due message is ordered once after a crash", async () => {
    const { who, id, machine } = await answered("leave_message");
    await machine("greeting");
    await onLedger(who.account, "UPDATE calls SET message = 'asked' WHERE id = ?", id);
    await reconcile(who, id);
    expect(await stateOf(who, id)).toBe("asked");
    await onLedger(who.account, "UPDATE calls SET message = 'due' WHERE id = ?", id);
    // The sandbox has no machine until it reports one.
    await reconcile(who, id);
    expect(await stateOf(who, id)).toBe("left");
  });

  it("a machine that never stops greeting is hung up", async () => {
    const { who, id, machine } = await answered("leave_message");
    await machine("greeting");
    await reconcile(who, id, Date.now() + 61_000);
    expect(await getCall(who.server, id)).toMatchObject({ status: "completed", end_reason: "machine" });
  });
});

describe("the step that a machine leads to", () => {
  const states = [null, ...MESSAGE_STATES] as const;
  it("never begins a message twice, and hangs up only if that is chosen", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...CALL_VOICEMAIL, "retry" as const),
        fc.constantFrom(...MACHINES, undefined),
        fc.constantFrom(...states),
        (voicemail, machine, message) => {
          const step = machineStep(voicemail, machine, message);
          if (message !== null && message !== "greeting") expect(step).toBeNull();
          if (voicemail === "continue" || voicemail === "off") expect(step).toBeNull();
          if (step === "hang_up") expect(voicemail !== "leave_message" || machine === "no_voicemail").toBe(true);
          if (step === "due") expect(machine).toBe("recording");
        },
      ),
    );
  });
});

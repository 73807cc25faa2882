import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import type { AccountStore } from "../../../src/kernel/db/account-store.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { reconcileCalls } from "../../../src/phone/calls/reconcile-calls.ts";
import { onLedger } from "../../support/ledger.ts";
import { caller, getCall, originate, report, sandboxOf, settled, withVars } from "./support.ts";

/** Wraps a store so that no message can be read from it. */
const withoutMessages = (store: AccountStore): AccountStore =>
  new Proxy(store, {
    get: (target, name) => {
      if (name === "profile") throw new Error("D1 is away");
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === "function" ? value.bind(target) : value;
    },
  });

describe("a round of lookups that cannot read the message for a machine", () => {
  it("still records its findings about all calls, and hangs up the machine", async () => {
    const who = await caller();
    await who.server.patch(`/api/v1/agents/${who.agent_id}`, { greeting_message: "Hello." });
    await withVars(sandboxOf(who), { SANDBOX_RING_MS: "1", SANDBOX_TALK_MS: "7200000" });
    const begin = async (voicemail: string) => {
      const { call_id } = (await originate(who, "+13035550106", { voicemail })).body;
      await settled(who.server, call_id, ({ status }) => status === "in-progress");
      return call_id;
    };
    const machine = await begin("leave_message");
    const other = await begin("off");
    expect(
      (await report(who, machine, { status: "in-progress", answered_by: "machine", machine: "greeting" })).status,
    ).toBe(204);
    await onLedger(who.account, "UPDATE calls SET message = 'due' WHERE id = ?", machine);
    await onLedger(who.account, "UPDATE calls SET status = 'ringing' WHERE id = ?", other);
    const store = withoutMessages(accountStore(env, who.account, { actor: "test", request_id: "" }));
    const silent = [machine, other].map((callId) => ({ callId, hangUp: false }));
    const found = await reconcileCalls({ env, store, clock: Date.now }, silent);
    expect(found.map(({ callId, lookAt }) => [callId, lookAt === null])).toEqual([
      [machine, true],
      [other, false],
    ]);
    expect(await getCall(who.server, other)).toMatchObject({ status: "in-progress" });
    expect(await getCall(who.server, machine)).toMatchObject({ status: "completed", end_reason: "machine" });
  });
});

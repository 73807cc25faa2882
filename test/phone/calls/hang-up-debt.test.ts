import { env } from "cloudflare:workers";
import { afterEach, describe, expect, it, vi } from "vitest";
import { AccountMeter } from "../../../src/account/meter/account-meter.ts";
import { CallReconciliation } from "../../../src/campaign/dial/call-reconciliation.ts";
import { accountMeter } from "../../../src/kernel/durable/objects.ts";
import { SandboxCarrier } from "../../../src/phone/carriers/sandbox-carrier.ts";
import { spyIn } from "../../support/spy-in.ts";
import { KINDS } from "./call-kinds.ts";
import { getCall, isOver, running, sandboxOf, settled } from "./support.ts";

/** Makes the sandbox leave hang-ups unanswered, as if their sender were lost. */
function unanswered() {
  const answer = Promise.withResolvers<void>();
  const asked = vi.spyOn(SandboxCarrier.prototype, "hangUp").mockImplementation(() => answer.promise);
  return { asked, answer: () => answer.resolve() };
}

describe.each(KINDS)("a requested hang-up of %s", (_, begin) => {
  afterEach(() => vi.restoreAllMocks());

  it("a requested hang-up is carried out by the call's object if the requesting process is lost", async () => {
    const { who, id, look } = await begin();
    const lost = unanswered();
    const requested = who.server.post(`/api/v1/calls/${id}/hangup`);
    await vi.waitFor(() => expect(lost.asked).toHaveBeenCalled());
    lost.asked.mockRestore();
    await look();
    expect(await settled(who.server, id, isOver)).toMatchObject({ end_reason: "hangup" });
    await vi.waitFor(async () => expect(await running(who.server)).toBe(0));
    lost.answer();
    await requested;
  });

  it("a requested hang-up is sent by the object that watches the call if the process is lost right after it is recorded", async () => {
    const { who, id, look } = await begin();
    const lost = [
      spyIn(accountMeter(env, who.account), AccountMeter, "settled").mockRejectedValueOnce(
        new Error("the process is lost"),
      ),
      vi.spyOn(CallReconciliation.prototype, "hangUp").mockRejectedValueOnce(new Error("the process is lost")),
    ];
    expect((await who.server.post(`/api/v1/calls/${id}/hangup`)).status).toBe(500);
    for (const one of lost) one.mockRestore();
    await settled(who.server, id, ({ metadata }) => metadata.hangup_requested === true);
    await look();
    expect(await settled(who.server, id, isOver)).toMatchObject({ end_reason: "hangup" });
    await vi.waitFor(async () => expect(await running(who.server)).toBe(0));
  });

  it("a second hang-up is sent by the object that watches the call if the process is lost right after it is recorded", async () => {
    const { who, id, look } = await begin();
    const ignored = vi.spyOn(SandboxCarrier.prototype, "hangUp").mockImplementation(async () => {});
    expect((await who.server.post(`/api/v1/calls/${id}/hangup`)).status).toBe(200);
    ignored.mockRestore();
    const lost = [
      spyIn(accountMeter(env, who.account), AccountMeter, "settled").mockRejectedValueOnce(
        new Error("the process is lost"),
      ),
      vi.spyOn(CallReconciliation.prototype, "hangUp").mockRejectedValueOnce(new Error("the process is lost")),
    ];
    expect((await who.server.post(`/api/v1/calls/${id}/hangup`)).status).toBe(500);
    for (const one of lost) one.mockRestore();
    const hangUp = spyIn(sandboxOf(who), SandboxCarrier, "hangUp");
    await look();
    expect(hangUp).toHaveBeenCalledTimes(1);
    expect(await settled(who.server, id, isOver)).toMatchObject({ end_reason: "hangup" });
    await vi.waitFor(async () => expect(await running(who.server)).toBe(0));
  });

  it("a requested hang-up is sent once if the carrier accepts it", async () => {
    const { who, id, look } = await begin();
    const hangUp = spyIn(sandboxOf(who), SandboxCarrier, "hangUp");
    expect((await who.server.post(`/api/v1/calls/${id}/hangup`)).status).toBe(200);
    await look();
    expect(hangUp).toHaveBeenCalledTimes(1);
    expect(await getCall(who.server, id)).toMatchObject({ end_reason: "hangup" });
    await vi.waitFor(async () => expect(await running(who.server)).toBe(0));
  });
});

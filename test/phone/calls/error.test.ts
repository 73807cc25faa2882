import { describe, expect, it } from "vitest";
import { tenant } from "../../support/client.ts";
import { type Calls, caller, getCall, isOver, originate, report, running, setCaps, settled } from "./support.ts";

const NONE = "0190b1a0-0000-7000-8000-000000000000";
const TO = "+13035550110";

describe("invalid requests to place a call", () => {
  it("placing a call answers 400 for a missing or malformed field", async () => {
    const { server, agent_id, from_number } = await caller();
    const order = { agent_id, from_number, to_number: TO };
    for (const field of ["agent_id", "from_number", "to_number"]) {
      const answer = await server.post("/api/v1/calls/originate", { ...order, [field]: undefined });
      expect([answer.status, answer.body]).toEqual([400, `${field} is required`]);
    }
    for (const to_number of ["3035550110", "+0123456789", "+1", ""])
      expect((await server.post("/api/v1/calls/originate", { ...order, to_number })).status).toBe(400);
    expect((await server.get<Calls>("/api/v1/calls")).body.total).toBe(0);
  });

  it("placing a call answers 404 for a number or agent that the account does not have", async () => {
    const [who, other] = [await caller(), await caller()];
    const wrong = [
      [{ from_number: "+12025550199" }, "phone number not found"],
      [{ agent_id: NONE }, "agent not found"],
      [{ agent_id: other.agent_id }, "agent not found"],
    ] as const;
    for (const [field, message] of wrong) {
      const answer = await originate({ ...who, ...field }, TO);
      expect([answer.status, answer.body]).toEqual([404, message]);
    }
    const stranger = await tenant();
    expect((await originate({ ...who, server: stranger.server }, TO)).status).toBe(404);
    expect(await running(who.server)).toBe(0);
  });

  it("placing a call answers 409 for an archived agent", async () => {
    const who = await caller();
    await who.server.patch(`/api/v1/agents/${who.agent_id}`, { status: "archived" });
    const answer = await originate(who, TO);
    expect([answer.status, answer.code]).toEqual([409, "agent_archived"]);
    expect([(await who.server.get<Calls>("/api/v1/calls")).body.total, await running(who.server)]).toEqual([0, 0]);
  });

  it("placing a call to a destination that the account does not allow answers 403 without taking a slot", async () => {
    const who = await caller();
    await who.server.patch("/api/v1/call-settings", { allowed_destinations: ["+49"] });
    const answer = await originate(who, TO);
    expect([answer.status, answer.code]).toEqual([403, "destination_not_allowed"]);
    expect([(await who.server.get<Calls>("/api/v1/calls")).body.total, await running(who.server)]).toEqual([0, 0]);
    expect((await originate(who, "+4915112345610")).status).toBe(200);
    await who.server.patch("/api/v1/call-settings", { allowed_destinations: null });
    expect((await originate(who, TO)).status).toBe(200);
  });

  it("placing a call answers 400 for a number that may not call out", async () => {
    const who = await caller();
    const from_number = "+12025550150";
    await who.server.post("/api/v1/telephony/numbers", {
      e164: from_number,
      provider: "sandbox",
      outbound_enabled: false,
    });
    const answer = await originate({ ...who, from_number }, TO);
    expect([answer.status, answer.code]).toEqual([400, "outbound_disabled"]);
    expect(await running(who.server)).toBe(0);
  });

  it("placing a call that the carrier refuses answers 500 with the carrier's reason", async () => {
    const who = await caller();
    const answer = await originate(who, "+13035550104");
    expect([answer.status, answer.code]).toEqual([500, "carrier_rejected"]);
    const [call] = (await who.server.get<Calls>("/api/v1/calls")).body.calls;
    expect(call).toMatchObject({ status: "failed", end_reason: "rejected", provider_call_id: null });
    expect(await running(who.server)).toBe(0);
  });

  it.each([
    ["concurrent_calls", 5],
    ["calls_per_minute", 60],
    ["calls_per_day", 86_400],
  ])("placing a call answers 429 with Retry-After when %s is reached", async (cap, longest) => {
    const who = await caller();
    await setCaps(who.account, { [cap]: 1 });
    expect((await originate(who, "+13035550106")).status).toBe(200);
    const answer = await originate(who, TO);
    expect([answer.status, answer.code]).toEqual([429, `${cap}_cap`]);
    const wait = Number(answer.headers.get("retry-after"));
    expect(wait).toBeGreaterThanOrEqual(1);
    expect(wait).toBeLessThanOrEqual(longest);
    expect((await who.server.get<Calls>("/api/v1/calls")).body.total).toBe(1);
  });

  it("exactly the cap of 50 concurrent calls is admitted", async () => {
    const who = await caller();
    await setCaps(who.account, { concurrent_calls: 7 });
    const answers = await Promise.all(Array.from({ length: 50 }, () => originate(who, "+13035550106")));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect([count(200), count(429)]).toEqual([7, 43]);
    expect(await running(who.server)).toBe(7);
    expect((await who.server.get<Calls>("/api/v1/calls")).body.total).toBe(7);
  });
});

describe("invalid requests about calls", () => {
  it("reading an unknown call answers 404", async () => {
    const { server } = await caller();
    for (const id of [NONE, "nonsense"]) {
      expect((await server.get(`/api/v1/calls/${id}`)).status).toBe(404);
      expect((await server.post(`/api/v1/calls/${id}/hangup`)).status).toBe(404);
    }
  });

  it.each(["limit=0", "limit=101", "limit=x", "offset=-1", "status=lost"])(
    "listing calls answers 400 for ?%s",
    async (query) => {
      const { server } = await tenant();
      expect((await server.get(`/api/v1/calls?${query}`)).status).toBe(400);
    },
  );

  it("late, repeated or disordered reports never move a call backwards", async () => {
    const who = await caller();
    const { call_id } = (await originate(who, "+13035550101")).body;
    const over = await settled(who.server, call_id, isOver);
    for (const status of ["ringing", "in-progress", "busy", "completed", "initiated", "busy"])
      expect((await report(who, call_id, { status, reason: "late" })).status).toBe(204);
    expect(await getCall(who.server, call_id)).toEqual(over);
    expect(await running(who.server)).toBe(0);
  });

  it("a report for an unknown call or carrier answers 404", async () => {
    const who = await caller();
    expect((await report(who, NONE, { status: "completed" })).status).toBe(404);
    const path = `/api/telephony/webhooks/pigeon/${who.account}/${NONE}`;
    expect((await who.server.post(path, {})).status).toBe(404);
  });

  it("a signed report that cannot be parsed answers 400", async () => {
    const who = await caller();
    const { call_id } = (await originate(who, "+13035550106")).body;
    expect((await report(who, call_id, { status: "exploded" })).status).toBe(400);
  });
});

import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { shortId, verifyToken } from "../../../src/kernel/secrets/tokens.ts";
import { type Calls, getCall, isOver, report, running, settled, slowly } from "../calls/support.ts";
import { recordingOf } from "../recordings/support.ts";
import { answering, NUMBER, ring } from "./support.ts";

describe("inbound calls", () => {
  it("an inbound call connects to the agent that its number is pinned to", async () => {
    const who = await answering();
    const answer = await ring(who, { provider_call_id: "in-1" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(answer.body).toMatchObject({ action: "connect", runtime_url: "wss://switchboard.test/runtime" });
    const { call_id, session_token, webhook_url } = answer.body;
    const claims = await verifyToken(env.SIGNING_KEYS, "carrier", session_token, Date.now());
    expect(claims).toMatchObject({ sub: shortId(call_id), account: who.account, agent: shortId(who.agent_id) });
    expect(webhook_url).toMatch(
      new RegExp(`/api/telephony/webhooks/sandbox/${who.account}/${call_id}\\?token=[\\w-]{43}$`),
    );
    expect(await getCall(who.server, call_id)).toMatchObject({
      direction: "inbound",
      status: "in-progress",
      agent_id: who.agent_id,
      provider_call_id: "in-1",
      from_number: "+13035550106",
      to_number: NUMBER,
      campaign_id: null,
    });
    expect(await running(who.server)).toBe(1);

    await report(who, call_id, { status: "completed", reason: "hangup", provider_call_id: "in-1" });
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "completed", end_reason: "hangup" });
    expect(await running(who.server)).toBe(0);
  });

  it("an inbound call that is announced twice is one call", async () => {
    const who = await answering();
    const same = { provider_call_id: "in-1" };
    const answers = await Promise.all(Array.from({ length: 5 }, () => ring(who, same)));
    answers.push(await ring(who, same));
    expect(new Set(answers.map(({ body }) => body.call_id)).size).toBe(1);
    expect(answers.every(({ body }) => body.action === "connect")).toBe(true);
    expect((await who.server.get<Calls>("/api/v1/calls")).body.total).toBe(1);
    const { body: limits } = await who.server.get("/api/v1/call-limits");
    expect(limits).toMatchObject({
      concurrent_calls: { used: 1 },
      calls_per_minute: { used: 1 },
      calls_per_day: { used: 1 },
    });
  });

  it("an inbound call is followed to its end or hung up on request", async () => {
    const who = await answering();
    const short = (await ring(who, { provider_call_id: "in-1", from_number: "+13035550110" })).body.call_id;
    expect(await settled(who.server, short, isOver)).toMatchObject({ status: "completed", provider_call_id: "in-1" });
    await slowly(who, { SANDBOX_RING_MS: "0" });
    const long = (await ring(who, { from_number: "+13035550110" })).body.call_id;
    expect((await who.server.post(`/api/v1/calls/${long}/hangup`)).status).toBe(200);
    expect(await settled(who.server, long, isOver)).toMatchObject({ status: "completed", end_reason: "hangup" });
    await expect.poll(() => running(who.server)).toBe(0);
  });

  it("a report about an inbound call may arrive at the address that announced it", async () => {
    const who = await answering();
    const { call_id } = (await ring(who, { provider_call_id: "in-1" })).body;
    const report = { provider_call_id: "in-1", status: "completed", answered_by: null, reason: "x", recording: null };
    expect((await ring(who, report)).status).toBe(204);
    expect(await getCall(who.server, call_id)).toMatchObject({
      status: "completed",
      end_reason: "answered",
      metadata: { carrier_reason: "x" },
    });
    expect((await ring(who, { ...report, provider_call_id: "in-2" })).status).toBe(404);
  });

  it("a recording may be reported at the address that announced its call", async () => {
    const who = await answering();
    const { call_id } = (await ring(who, { provider_call_id: "in-3" })).body;
    const recording = { id: "rec-1", url: "", duration_ms: 500, content_type: "audio/wav" };
    const report = { provider_call_id: "in-3", status: "completed", answered_by: null, reason: "x", recording };
    expect((await ring(who, report)).status).toBe(204);
    expect(await recordingOf(who.server, call_id)).toMatchObject({ agent_id: who.agent_id, duration_ms: 500 });
  });

  it("a caller whose call the carrier would not connect is turned away without keeping a slot", async () => {
    const who = await answering();
    const answer = await ring(who, { from_number: "+13035550104" });
    expect(answer.body).toMatchObject({ action: "reject", sentence: expect.stringMatching(/try again/) });
    const [call] = (await who.server.get<Calls>("/api/v1/calls")).body.calls;
    expect(call).toMatchObject({
      status: "failed",
      end_reason: "failed",
      metadata: { carrier_reason: "not_connected" },
    });
    expect(await running(who.server)).toBe(0);
  });
});

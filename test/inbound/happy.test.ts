import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { verifyToken } from "../../src/secrets/tokens.ts";
import { type Calls, getCall, report, running } from "../calls/support.ts";
import { answering, NUMBER, ring } from "./support.ts";

describe("inbound calls: happy", () => {
  it("connects a call to the agent its number is pinned to, on record and counted", async () => {
    const who = await answering();
    const answer = await ring(who, { provider_call_id: "in-1" });
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    expect(answer.body).toMatchObject({ action: "connect", runtime_url: "" });
    const { call_id, session_token, webhook_url } = answer.body;
    const claims = await verifyToken(env.SIGNING_KEYS, "runtime", session_token, Date.now());
    expect(claims).toMatchObject({ sub: call_id, account: who.account, agent_id: who.agent_id });
    expect(webhook_url).toMatch(new RegExp(`/api/telephony/webhooks/sandbox/${who.account}/${call_id}$`));
    expect(await getCall(who.server, call_id)).toMatchObject({
      ...{ direction: "inbound", status: "in-progress", agent_id: who.agent_id, provider_call_id: "in-1" },
      ...{ from_number: "+13035550199", to_number: NUMBER, campaign_id: null },
    });
    expect(await running(who.server)).toBe(1);

    await report(who, call_id, { status: "completed", reason: "hangup", provider_call_id: "in-1" });
    expect(await getCall(who.server, call_id)).toMatchObject({ status: "completed", end_reason: "hangup" });
    expect(await running(who.server)).toBe(0);
  });

  it("takes the same call asked about twice, also at once, as one call", async () => {
    const who = await answering();
    const same = { provider_call_id: "in-1" };
    const answers = await Promise.all(Array.from({ length: 5 }, () => ring(who, same)));
    answers.push(await ring(who, same));
    expect(new Set(answers.map(({ body }) => body.call_id)).size).toBe(1);
    expect(answers.every(({ body }) => body.action === "connect")).toBe(true);
    expect((await who.server.get<Calls>("/api/v1/calls")).body.total).toBe(1);
    expect(await running(who.server)).toBe(1);
  });
});

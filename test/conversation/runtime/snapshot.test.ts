import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { pureTools } from "../../../src/conversation/runtime/built-in/pure-tools.ts";
import { sessionSnapshot } from "../../../src/conversation/runtime/session/snapshot-document.ts";
import { NO_ANALYSIS } from "../../../src/kernel/db/schema/index.ts";
import type { SessionIdentity } from "../../../src/kernel/http/context.ts";
import type { CallSession } from "../../../src/phone/calls/call-session.ts";
import type { CallLine } from "../../../src/records/ledger/report.ts";
import { endedRow, putRows } from "../../records/conversations/support.ts";
import { operator, tenant } from "../../support/client.ts";
import { putCall } from "../../support/ledger.ts";
import { ownTools } from "../../support/own-tools.ts";
import { page, type Session as Signed, visitorToken, type WidgetTenant, widgetTenant } from "../../support/widget.ts";
import { callToken, identityOf, openSession, outcomeOf } from "./support.ts";

const ONE_BATCH = { d1: 1, replica: 0, objects: 0 };
const NOW = Date.parse("2026-11-21T23:05:00Z");
const iso = (time: number) => new Date(time).toISOString();

/** Creates an account with an agent and a recorded call of it. */
async function onCall(row: Partial<CallLine> = {}, agent: Record<string, unknown> = {}) {
  const who = await tenant({ display_name: "Acme Ltd" });
  const created = await who.server.post<{ id: string; active_prompt_id: string }>("/api/v1/agents", {
    name: "Ada",
    status: "active",
    system_prompt: "You are {{agent_name}} of {{account_name}}. Today is {{weekday}}, {{date}}, {{time}}.",
    greeting_message: "Hello {{first_name|there}}, about {{topic}}.",
    ...agent,
  });
  const talking = { status: "in-progress", agent_id: created.body.id };
  const call_id = await putCall(who.account, { ...talking, ...row });
  const claims = { sub: call_id, account: who.account, agent_id: created.body.id };
  return {
    ...who,
    call_id,
    agent: created.body,
    claims,
    identity: await identityOf(await callToken(claims, NOW), NOW),
  };
}

/** Stores an ended conversation in the ledger as its object would. */
async function hadConversation({ account, key, agent_id }: SessionIdentity, ended_at: number): Promise<void> {
  const ended = { started_at: iso(ended_at - 60_000), ended_at: iso(ended_at) };
  await putRows({ account }, [endedRow({ session_key: key, call_id: null, agent_id, ...ended })]);
}

describe("the snapshot of a call", () => {
  it("matches the contract, in one D1 round trip", async () => {
    const variables = { "First Name": "Grace", topic: "{{agent_name}}" };
    const { identity, call_id, agent, account } = await onCall({ variables });
    const { session, trips } = await openSession(identity, { now: NOW });
    expect(trips).toEqual(ONE_BATCH);
    const { snapshot, ...rest } = session;
    expect(sessionSnapshot.parse(snapshot)).toEqual(snapshot);
    expect(snapshot).toMatchObject({
      kind: "call",
      account,
      expires_at: iso(NOW + 7_200_000),
      call: {
        id: call_id,
        direction: "outbound",
        from_number: "+12025550100",
        to_number: "+13035550110",
        provider: "sandbox",
        campaign_id: null,
        contact_id: null,
      },
      disclosure: null,
      visitor: null,
      agent: {
        id: agent.id,
        name: "Ada",
        system_prompt: "You are Ada of Acme Ltd. Today is Saturday, 2026-11-21, 23:05.",
        greeting_message: "Hello Grace, about {{agent_name}}.",
        prompt_id: agent.active_prompt_id,
      },
      timezone: "UTC",
      local_time: { date: "2026-11-21", weekday: "Saturday", time: "23:05" },
      variables,
      missing_variables: [],
      playbooks: [],
      faqs: [],
      documents: [],
      tools: pureTools({ documents: [], faqs: [], playbooks: [] }),
      unavailable_tools: [],
      limits: { max_duration_s: Number(env.CALL_MAX_DURATION_S) },
    });
    expect(rest).toEqual({
      direction: "outbound",
      phone_number: "+13035550110",
      installs: {},
      timezone: "UTC",
      follows: null,
      announcement: null,
      analysis: NO_ANALYSIS,
      documents_late: false,
      api_key_id: null,
      version: { number: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/), is_stored: false, pin: null },
    });
  });

  it("names the other side of an inbound call, and the missing variables", async () => {
    const { identity } = await onCall({ direction: "inbound", from_number: "+13035550110", to_number: "+12025550100" });
    const { session } = await openSession(identity, { now: NOW });
    expect(session).toMatchObject({ direction: "inbound", phone_number: "+13035550110" });
    expect(session.snapshot.agent.greeting_message).toBe("Hello there, about .");
    expect(session.snapshot.missing_variables).toEqual(["topic"]);
  });

  it("contains exactly what is attached to the agent, in that order", async () => {
    const { server, agent, identity } = await onCall();
    const path = `/api/v1/agents/${agent.id}`;
    await server.post("/api/v1/faqs", { name: "zebra", title: "Z?", summary: "s", content: "c" });
    const playbook = { name: "rendered", display_name: "Rendered", description: "About it.", triggers: ["now"] };
    await server.post("/api/v1/playbooks", playbook);
    await server.post("/api/v1/playbooks", { name: "own_words", content: "# Mine\n\n{{agent_name}}" });
    for (const faq_id of ["zebra", "opening_hours"]) await server.post(`${path}/faqs`, { faq_id });
    for (const playbook_id of ["rendered", "own_words"]) await server.post(`${path}/playbooks`, { playbook_id });
    const schema = { type: "object", properties: { a: { type: "string" } } };
    const http = { implementation_config: { method: "GET", url: "https://api.example/{a}" }, schema };
    await server.post("/api/v1/tools", { name: "ready_now", description: "Does it.", ...http });
    const script = { implementation_type: "python", implementation_code: "def run(args, session): ..." };
    await server.post("/api/v1/tools", { name: "script", schema: {}, ...script });
    await server.post("/api/v1/tools", { name: "switched_off", ...http });
    for (const tool_name of ["script", "ready_now", "look_up_order"]) await server.post(`${path}/tools`, { tool_name });
    await server.post(`${path}/tools`, { tool_name: "switched_off", enabled: false });

    const { session, trips } = await openSession(identity, { now: NOW });
    expect(trips).toEqual(ONE_BATCH);
    const { faqs, playbooks, tools, unavailable_tools } = session.snapshot;
    expect(sessionSnapshot.parse(session.snapshot)).toEqual(session.snapshot);
    expect(faqs.map(({ name }) => name)).toEqual(["zebra", "opening_hours"]);
    expect(faqs[0]).toEqual({ name: "zebra", title: "Z?", summary: "s", content: "c" });
    const asShown = async (name: string) =>
      (await server.get<{ content: string }>(`/api/v1/playbooks/${name}`)).body.content;
    expect(playbooks).toEqual([
      { name: "rendered", display_name: "Rendered", content: await asShown("rendered") },
      { name: "own_words", display_name: "Own words", content: "# Mine\n\n{{agent_name}}" },
    ]);
    expect(tools).toEqual([
      {
        name: "ready_now",
        description: "Does it.",
        parameters: schema,
        effect: "read",
        max_runs: null,
        runs: "platform",
      },
      {
        name: "script",
        description: "",
        parameters: { type: "object", properties: {} },
        effect: "write",
        max_runs: 3,
        runs: "runtime",
        code: "def run(args, session): ...",
      },
      ...pureTools({ documents: [], faqs, playbooks }),
    ]);
    const reason = "the integration shopify is not installed";
    expect(unavailable_tools).toEqual([{ name: "look_up_order", reason }]);

    const stored = { params: { shop_domain: "a.myshopify.com" }, secrets: { access_token: "shpat" } };
    await server.post("/api/v1/integrations/shopify/install", stored);
    const after = (await openSession(identity, { now: NOW })).session.snapshot;
    expect(after.unavailable_tools).toEqual([]);
    expect(after.tools.map(({ name }) => name)).toContain("look_up_order");
    expect(JSON.stringify(after)).not.toContain("shpat");

    const [, last] = (await server.get<{ playbooks: { id: string }[] }>(path)).body.playbooks;
    const [, hours] = (await server.get<{ faqs: { id: string }[] }>(path)).body.faqs;
    await server.post(`${path}/order`, { tools: ["script"], playbooks: [last?.id], faqs: [hours?.id] });
    const ordered = await openSession(identity, { now: NOW });
    expect(ordered.trips).toEqual(ONE_BATCH);
    const named = (what: { name: string }[]) => what.map(({ name }) => name);
    expect(named(ownTools(ordered.session.snapshot.tools))).toEqual(["script", "look_up_order", "ready_now"]);
    expect(named(ordered.session.snapshot.playbooks)).toEqual(["own_words", "rendered"]);
    expect(named(ordered.session.snapshot.faqs)).toEqual(["opening_hours", "zebra"]);
  });

  it("includes an archived agent, and answers 404 for a deleted agent and 403 for a disabled account", async () => {
    const { identity, server, agent, account } = await onCall();
    await server.patch(`/api/v1/agents/${agent.id}`, { status: "archived" });
    expect(await outcomeOf(identity, { now: NOW })).toBe("ok");
    await server.delete(`/api/v1/agents/${agent.id}`);
    expect(await outcomeOf(identity, { now: NOW })).toBe("404 not_found");
    await (await operator()).patch(`/api/admin/v1/accounts/${account}`, { disabled: true });
    expect(await outcomeOf(identity, { now: NOW })).toBe("403 account_closed");
  });

  it("a call's snapshot is available until 60 s after its end", async () => {
    const { identity } = await onCall({ ended_at: iso(NOW) });
    expect(await outcomeOf(identity, { now: NOW + 59_999 })).toBe("ok");
    expect(await outcomeOf(identity, { now: NOW + 60_000 })).toBe("403 session_ended");
    const other = await onCall();
    const theirs = await callToken({ ...other.claims, sub: identity.key }, NOW);
    expect(await outcomeOf(await identityOf(theirs, NOW), { now: NOW })).toBe("403 session_ended");
  });

  it("does not begin a second conversation", async () => {
    const { identity } = await onCall();
    await hadConversation(identity, NOW + 30_000);
    expect(await outcomeOf(identity, { now: NOW + 31_000 })).toBe("403 session_ended");
  });
});

describe("the snapshot of a campaign's call", () => {
  const campaign_id = crypto.randomUUID();
  const contact = (change: Partial<CallSession> = {}): CallSession => ({
    direction: "outbound",
    pinned_version: null,
    campaign_id,
    contact_id: crypto.randomUUID(),
    api_key_id: null,
    from_number: "+12025550199",
    to_number: "+13035550111",
    provider: "sandbox",
    variables: [
      ["First Name", "Grace"],
      ["first_name", "second"],
      ["topic", ""],
      ["__proto__", "own"],
    ],
    disclosure: null,
    contact_timezone: "Pacific/Auckland",
    campaign_timezone: null,
    ended_at: null,
    ...change,
  });

  async function onCampaignCall(row?: Partial<CallLine>) {
    const created = await onCall({ campaign_id, ...row });
    const token = await callToken({ ...created.claims, campaign_id }, NOW);
    return { ...created, identity: await identityOf(token, NOW) };
  }

  it("has the contact's values, in the contact's time zone", async () => {
    const { identity, call_id } = await onCampaignCall();
    const campaign = contact();
    const { session, trips } = await openSession(identity, { now: NOW, campaign });
    expect(trips).toEqual(ONE_BATCH);
    const { snapshot } = session;
    expect(snapshot.call).toEqual({
      id: call_id,
      direction: "outbound",
      from_number: "+12025550199",
      to_number: "+13035550111",
      provider: "sandbox",
      campaign_id,
      contact_id: campaign.contact_id,
    });
    expect(snapshot.agent.system_prompt).toContain("Today is Sunday, 2026-11-22, 12:05.");
    expect(snapshot.agent.greeting_message).toBe("Hello Grace, about .");
    expect(snapshot.missing_variables).toEqual(["topic"]);
    expect(Object.entries(snapshot.variables)).toEqual([
      ["First Name", "Grace"],
      ["topic", ""],
      ["__proto__", "own"],
    ]);
    expect(session).toMatchObject({ phone_number: "+13035550111", timezone: "Pacific/Auckland" });
  });

  it("does not require the call's row, and uses UTC if the zone is unknown", async () => {
    const { identity, claims } = await onCampaignCall();
    const unlisted = await identityOf(await callToken({ ...claims, sub: crypto.randomUUID(), campaign_id }, NOW), NOW);
    const campaign = contact({ contact_timezone: "Mars/Olympus" });
    const { session } = await openSession(unlisted, { now: NOW, campaign });
    expect(session.timezone).toBe("UTC");
    expect(session.snapshot.agent.system_prompt).toContain("Saturday, 2026-11-21, 23:05.");
    expect(await outcomeOf(identity, { now: NOW, campaign: contact({ ended_at: NOW - 60_000 }) })).toBe(
      "403 session_ended",
    );
    expect(await outcomeOf(identity, { now: NOW, campaign: contact({ ended_at: NOW - 59_999 }) })).toBe("ok");
  });

  it("is refused as ended if its campaign no longer has the call, even if the list still has it", async () => {
    const { identity } = await onCampaignCall();
    expect(await outcomeOf(identity, { now: NOW })).toBe("403 session_ended");
  });
});

describe("the time zone of the person", () => {
  const GERMAN = "+4930123456";
  const AMERICAN = "+13035550111";
  type Call = { direction: "inbound" | "outbound"; from_number: string; to_number: string };
  const calling = (to_number: string): Call => ({ direction: "outbound", from_number: "+12025550199", to_number });
  const calledBy = (from_number: string): Call => ({ direction: "inbound", from_number, to_number: "+12025550199" });
  const campaign_id = crypto.randomUUID();
  const contact = (change: Partial<CallSession>): CallSession => ({
    direction: "outbound",
    pinned_version: null,
    campaign_id,
    contact_id: crypto.randomUUID(),
    api_key_id: null,
    from_number: "+12025550199",
    to_number: AMERICAN,
    provider: "sandbox",
    variables: [],
    disclosure: null,
    contact_timezone: null,
    campaign_timezone: null,
    ended_at: null,
    ...change,
  });

  it.each<[string, Call, string | null, string | null, string]>([
    ["that of the number that is called", calling(GERMAN), "Asia/Tokyo", "Asia/Seoul", "Europe/Berlin"],
    ["that of the caller's number", calledBy(GERMAN), "Asia/Tokyo", "Asia/Seoul", "Europe/Berlin"],
    ["the agent's", calling(AMERICAN), "Asia/Tokyo", "Asia/Seoul", "Asia/Tokyo"],
    ["the agent's for a caller who withholds their number", calledBy("anonymous"), "Asia/Tokyo", null, "Asia/Tokyo"],
    ["the account's", calling(AMERICAN), null, "Asia/Seoul", "Asia/Seoul"],
    ["UTC", calling(AMERICAN), null, null, "UTC"],
  ])("the person's time zone on a call is %s", async (_, call, ofAgent, ofAccount, expected) => {
    const { identity, server } = await onCall(call, { timezone: ofAgent });
    await server.patch("/api/v1/account", { timezone: ofAccount });
    const { session, trips } = await openSession(identity, { now: NOW });
    expect(trips).toEqual(ONE_BATCH);
    expect([session.timezone, session.snapshot.timezone]).toEqual([expected, expected]);
  });

  it.each<[string, Partial<CallSession>, string]>([
    ["the contact's", { contact_timezone: "Asia/Tokyo", campaign_timezone: "Asia/Seoul" }, "Asia/Tokyo"],
    ["the campaign's", { campaign_timezone: "Asia/Seoul", to_number: GERMAN }, "Asia/Seoul"],
    ["that of the number", { to_number: GERMAN }, "Europe/Berlin"],
    ["the agent's", {}, "Pacific/Auckland"],
  ])("the person's time zone on a campaign's call is %s", async (_, change, expected) => {
    const { claims } = await onCall({ campaign_id }, { timezone: "Pacific/Auckland" });
    const identity = await identityOf(await callToken({ ...claims, campaign_id }, NOW), NOW);
    const { session } = await openSession(identity, { now: NOW, campaign: contact(change) });
    expect(session.timezone).toBe(expected);
  });

  it("determines the prompt's date and the time at which the session began", async () => {
    const { identity } = await onCall(calling(AMERICAN), { timezone: "Pacific/Auckland" });
    const { snapshot } = (await openSession(identity, { now: NOW })).session;
    expect(snapshot.local_time).toEqual({ date: "2026-11-22", weekday: "Sunday", time: "12:05" });
    expect(snapshot.agent.system_prompt).toContain("Today is Sunday, 2026-11-22, 12:05.");
  });

  it("a visitor's time zone is the agent's, otherwise the account's", async () => {
    const created = await widgetTenant();
    const { server, agentId } = created;
    const zoneOf = async () => {
      const signed = (await page().guest(created.widgetKey.key)).body;
      return (await openSession(await identityOf(signed.access_token))).session.timezone;
    };
    await server.patch("/api/v1/account", { timezone: "Asia/Seoul" });
    expect(await zoneOf()).toBe("Asia/Seoul");
    await server.patch(`/api/v1/agents/${agentId}`, { timezone: "Asia/Tokyo" });
    expect(await zoneOf()).toBe("Asia/Tokyo");
  });
});

describe("the snapshot of a visitor", () => {
  const begin = async (created: WidgetTenant, who: "guest" | "user" = "guest"): Promise<Signed> =>
    (who === "guest" ? await page().guest(created.widgetKey.key) : await page().exchange(await visitorToken(created)))
      .body;

  it("matches the contract, in one D1 round trip", async () => {
    const created = await widgetTenant();
    await created.server.patch(`/api/v1/agents/${created.agentId}`, {
      greeting_message: "Hi {{from_number|visitor}}.",
    });
    for (const who of ["guest", "user"] as const) {
      const signed = await begin(created, who);
      const { session, trips } = await openSession(await identityOf(signed.access_token));
      expect(trips).toEqual(ONE_BATCH);
      const { snapshot, ...rest } = session;
      expect(sessionSnapshot.parse(snapshot)).toEqual(snapshot);
      expect(snapshot).toMatchObject({ kind: "widget", call: null, visitor: { id: signed.visitor.id, type: who } });
      expect(snapshot.agent).toMatchObject({ id: created.agentId, greeting_message: "Hi visitor." });
      expect(rest).toEqual({
        direction: null,
        phone_number: null,
        installs: {},
        timezone: "UTC",
        follows: null,
        announcement: null,
        analysis: NO_ANALYSIS,
        documents_late: false,
        api_key_id: null,
        version: { number: 1, hash: expect.stringMatching(/^[0-9a-f]{64}$/), is_stored: false, pin: null },
      });
    }
  });

  type Change = (created: WidgetTenant) => Promise<unknown>;
  const agent =
    (change: object): Change =>
    ({ server, agentId }) =>
      server.patch(`/api/v1/agents/${agentId}`, change);
  const policy =
    (change: object): Change =>
    ({ server, agentId }) =>
      server.patch(`/api/v1/agents/${agentId}/widget-settings`, change);
  const key =
    (change: object): Change =>
    ({ server, widgetKey }) =>
      server.patch(`/api/v1/widget-keys/${widgetKey.id}`, change);
  const close: Change = async ({ account }) =>
    (await operator()).patch(`/api/admin/v1/accounts/${account}`, { disabled: true });

  it.each<[string, Change, string]>([
    ["the agent is for users only", agent({ auth_mode: "authenticated" }), "403 guest_not_allowed"],
    ["the widget is for users only", policy({ auth_mode: "authenticated" }), "403 guest_not_allowed"],
    ["the widget is off", policy({ widget_enabled: false }), "403 widget_disabled"],
    ["the key is disabled", key({ disabled: true }), "403 key_disabled"],
    ["the key leads nowhere", key({ agent_id: null }), "403 invalid"],
    ["the page is not on the list any more", key({ domain_allowlist: [] }), "403 invalid"],
    ["the account is closed", close, "403 account_closed"],
  ])("a visitor's snapshot is refused, as by introspection, once %s", async (_, change, refusal) => {
    const created = await widgetTenant();
    const identity = await identityOf((await begin(created)).access_token);
    expect(await outcomeOf(identity)).toBe("ok");
    await change(created);
    expect(await outcomeOf(identity)).toBe(refusal);
  });

  it("a visitor's snapshot is refused once the sign-in has ended or the token has expired", async () => {
    const created = await widgetTenant();
    const signed = await begin(created);
    const identity = await identityOf(signed.access_token);
    expect(await outcomeOf(identity, { now: identity.expires_at })).toBe("403 expired");
    await page().refresh(signed.refresh_token);
    expect(await outcomeOf(identity)).toBe("ok");
    await page().refresh(signed.refresh_token);
    expect(await outcomeOf(identity)).toBe("403 invalid");
  });

  it("begins another conversation only with a token issued after the previous one ended", async () => {
    const created = await widgetTenant();
    const identity = await identityOf((await begin(created)).access_token);
    const { issued_at } = identity;
    await hadConversation(identity, issued_at + 5_000);
    expect(await outcomeOf(identity)).toBe("403 session_ended");
    expect(await outcomeOf({ ...identity, issued_at: issued_at + 6_000 })).toBe("ok");
  });
});

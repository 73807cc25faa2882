import { describe, expect, it, vi } from "vitest";
import type { Page } from "../../records/conversations/support.ts";
import type { Client } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";
import { runtimeFor } from "../../support/runtime.ts";
import { claimsOf, introspect, page, widgetTenant } from "../../support/widget.ts";
import { QUESTION } from "../runtime/conversing.ts";
import { greeted, nextMessage, recordOf, sessionOf, sessionPath, show, withAgent, write } from "./support.ts";

const listed = async (client: Client, query: string) =>
  (await client.get<Page>(`/api/v1/conversations?${query}`)).body.conversations;
describe("a session to try an agent", () => {
  it("a console user or API key gets a session to try an agent", async () => {
    const { user, server, agentId } = await withAgent();
    for (const client of [user, server]) {
      const session = await sessionOf(client, agentId);
      expect(session).toEqual({
        access_token: expect.stringMatching(/^eyJ/),
        token_type: "Bearer",
        expires_in: expect.any(Number),
        runtime_url: "wss://switchboard.test/runtime",
        agent_id: agentId,
        conversation_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      });
      expect(session.expires_in).toBeGreaterThan(3590);
      expect(session.expires_in).toBeLessThanOrEqual(3600);
    }
  });

  it("names the configured media runtime", async () => {
    const { server, agentId } = await withAgent();
    const env = { VOICE_RUNTIME_URL: "wss://media.example/talk" };
    const { body } = await countRoundTrips(sessionPath(agentId), server.headers, { method: "POST", env });
    expect(body).toMatchObject({ runtime_url: "wss://media.example/talk" });
  });

  it("costs a hop to the gate, a D1 round trip and a hop to the ledger, where it is audited", async () => {
    const { server, agentId } = await withAgent();
    const answer = await countRoundTrips(sessionPath(agentId), server.headers, { method: "POST" });
    expect(answer).toMatchObject({ status: 200, d1: 1, replica: 0, objects: 2 });
  });

  it.each(["draft", "active", "archived"])(
    "a session to try an agent works while the agent is %s, regardless of its auth_mode",
    async (status) => {
      const { user, agentId } = await withAgent({ status, auth_mode: "authenticated" });
      await user.patch(`/api/v1/agents/${agentId}/widget-settings`, { widget_enabled: false });
      const { access_token, conversation_id } = await sessionOf(user, agentId);
      const socket = await show(access_token);
      expect(await socket.next()).toEqual({ type: "ready", conversation_id, receipts: true });
      expect(await nextMessage(socket)).toBe("Hello there.");
      write(socket, QUESTION);
      expect(await nextMessage(socket)).not.toBe("");
    },
  );

  it("renders the agent's texts with the given variables", async () => {
    const { user, agentId } = await withAgent();
    const session = await sessionOf(user, agentId, { variables: { first_name: "Ann" } });
    expect(await nextMessage(await show(session.access_token))).toBe("Hello Ann.");
    expect((await recordOf(user, session)).variables).toEqual({ first_name: "Ann" });
  });

  it("records an interrupted turn up to the words that the voice reports", async () => {
    const { user, agentId } = await withAgent();
    const session = await sessionOf(user, agentId);
    const socket = await greeted(session.access_token);
    socket.send({ type: "interrupt", heard: "Hel" });
    write(socket, QUESTION);
    await nextMessage(socket);
    const { turns } = await recordOf(user, session);
    expect(turns[0]).toMatchObject({ role: "agent", text: "Hel", interrupted: true });
  });

  it("continues over another connection with the same token", async () => {
    const { user, agentId } = await withAgent();
    const { access_token, conversation_id } = await sessionOf(user, agentId);
    const first = await greeted(access_token);
    const second = await show(access_token);
    expect(await second.next()).toEqual({ type: "ready", conversation_id, receipts: true });
    expect((await first.closed).code).toBe(4409);
    write(second, QUESTION);
    expect(await nextMessage(second)).not.toBe("");
  });
});

describe("the conversation of a test", () => {
  it("a test conversation is listed with its tester, apart from visitors' conversations", async () => {
    const created = await widgetTenant();
    const { user, agentId, key } = created;
    const visitor = await greeted((await page().guest(created.widgetKey.key)).body.access_token);
    visitor.close();
    const session = await sessionOf(created.server, agentId);
    const socket = await greeted(session.access_token);
    const [found, ...others] = await vi.waitFor(async () => {
      const tests = await listed(user, "kind=test");
      expect(tests).not.toEqual([]);
      return tests;
    });
    expect(others).toEqual([]);
    expect(found).toMatchObject({
      id: session.conversation_id,
      kind: "test",
      status: "live",
      direction: null,
      agent_id: agentId,
      call_id: null,
      phone_number: null,
      visitor_id: `api_key:${key.id}`,
      visitor_type: "user",
    });
    await vi.waitFor(async () => expect(await listed(user, "kind=widget")).toHaveLength(1));
    expect((await listed(user, "")).map(({ kind }) => kind).toSorted()).toEqual(["test", "widget"]);
    socket.close();
  });

  it("has a tester in its transcript", async () => {
    const { user, agentId } = await withAgent();
    const session = await sessionOf(user, agentId);
    const socket = await greeted(session.access_token);
    write(socket, QUESTION);
    await nextMessage(socket);
    const { id } = await recordOf(user, session);
    const { body } = await user.get<string>(`/api/v1/conversations/${id}/transcript`);
    const { sub } = claimsOf(user.headers.authorization ?? "");
    expect(body).toContain("Kind: test\n");
    expect(body).toContain(`Tester: console:${sub} (user)\n`);
    expect(body).toContain(`Tester: ${QUESTION}\n`);
  });
});

describe("the account's own runtime", () => {
  it("learns the tester by introspection and from the session", async () => {
    const who = await withAgent();
    const { access_token, conversation_id, agent_id } = await sessionOf(who.server, who.agentId);
    const { exp } = claimsOf(access_token) as { exp: number };
    const tester = `api_key:${who.key.id}`;
    expect(await introspect(who, access_token)).toEqual({
      active: true,
      sub: tester,
      visitor_type: "user",
      agent_id,
      expires_at: new Date(exp * 1000).toISOString(),
    });
    const { status, body } = await runtimeFor(who, access_token).get<{ limits: { max_duration_s: number } }>(
      "/api/runtime/v1/session",
    );
    expect([status, body]).toMatchObject([
      200,
      {
        session_id: conversation_id,
        kind: "test",
        call: null,
        visitor: { id: tester, type: "user" },
        agent: { id: agent_id, greeting_message: "Hello there." },
      },
    ]);
    // The token cannot be renewed, so the conversation ends with it.
    expect(body.limits.max_duration_s).toBeLessThanOrEqual(3600);
  });

  it("reports turns and ends the conversation", async () => {
    const who = await withAgent();
    const { user, agentId } = who;
    const session = await sessionOf(user, agentId);
    const at = new Date().toISOString();
    const events = [
      { seq: 1, at, type: "agent_turn", text: "Hello there." },
      { seq: 2, at, type: "user_turn", text: "Bye." },
      { seq: 3, at, type: "ended", reason: "visitor_left" },
    ];
    const answer = await runtimeFor(who, session.access_token).post("/api/runtime/v1/session/events", { events });
    expect([answer.status, answer.body]).toEqual([200, { accepted_through: 3 }]);
    const record = await recordOf(user, session);
    expect(record).toMatchObject({ kind: "test", status: "ended", end_reason: "visitor_left", complete: true });
    expect(record.turns.map(({ text }) => text)).toEqual(["Hello there.", "Bye."]);
  });

  it("can hang up, but cannot transfer", async () => {
    const who = await withAgent();
    const { access_token } = await sessionOf(who.user, who.agentId);
    const post = (what: string, body: unknown) =>
      runtimeFor(who, access_token).post(`/api/runtime/v1/session/${what}`, body);
    expect((await post("transfer", { to_number: "+13035550110" })).code).toBe("transfer_unsupported");
    expect((await post("hangup", {})).status).toBe(204);
    expect((await (await show(access_token)).closed).code).toBe(4403);
  });
});

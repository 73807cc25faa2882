import { describe, expect, it } from "vitest";
import { contactsCsv, ready, upload } from "../../campaign/support.ts";
import { type Client, call, type Tenant, tenant } from "../../support/client.ts";

/** A resource with a revision, and three changes of it. */
interface Thing {
  path: string;
  write: (client: Client, body: object, headers?: Record<string, string>) => ReturnType<typeof call>;
  bodies: [object, object, object];
}

type Method = "PATCH" | "PUT" | "POST";

const writer =
  (method: Method, path: string): Thing["write"] =>
  (client, body, headers) =>
    call(method, path, { body, headers: { ...client.headers, ...headers } });

/** Creates every kind of resource with a revision in a new account. */
async function things({ user }: Pick<Tenant, "user">): Promise<Record<string, Thing>> {
  const { agent_id } = await ready({ server: user });
  const thing = (method: Method, path: string, bodies: Thing["bodies"], write = path): Thing => ({
    path,
    write: writer(method, write),
    bodies,
  });
  const { numbers } = (await user.get<{ numbers: { id: string }[] }>("/api/v1/telephony/numbers")).body;
  const campaign = (await upload(user, contactsCsv(1), { name: "c" })).body;
  const agent = (await user.post<{ id: string }>("/api/v1/agents", { name: "a" })).body.id;
  return {
    agent: thing("PATCH", `/api/v1/agents/${agent}`, [
      { greeting_message: "1" },
      { greeting_message: "2" },
      { system_prompt: "3" },
    ]),
    tool: thing("PUT", "/api/v1/tools/send_sms", [{ description: "1" }, { description: "2" }, { tags: ["3"] }]),
    playbook: thing("PUT", "/api/v1/playbooks/qualify_lead", [{ content: "1" }, { content: "2" }, { tags: ["3"] }]),
    faq: thing("PUT", "/api/v1/faqs/opening_hours", [{ title: "1" }, { title: "2" }, { content: "3" }]),
    integration: thing(
      "POST",
      "/api/v1/integrations/slack",
      [{ secrets: { bot_token: "1" } }, { secrets: { bot_token: "2" } }, {}],
      "/api/v1/integrations/slack/install",
    ),
    number: thing("PATCH", `/api/v1/telephony/numbers/${numbers[0]?.id}`, [
      { agent_id },
      { agent_id: null },
      { agent_id },
    ]),
    campaign: thing("PATCH", `/api/v1/campaigns/${campaign.id}`, [
      { max_concurrency: 1 },
      { max_concurrency: 2 },
      { name: "3" },
    ]),
    "call settings": thing("PATCH", "/api/v1/call-settings", [
      { ring_timeout_s: 20 },
      { ring_timeout_s: 21 },
      { record_inbound: true },
    ]),
    account: thing("PATCH", "/api/v1/account", [
      { timezone: "Europe/Vienna" },
      { timezone: null },
      { display_name: "3" },
    ]),
    "widget settings": thing("PATCH", "/api/v1/widget-settings", [
      { launcher_label: "1" },
      { launcher_label: "2" },
      { privacy_notice: "3" },
    ]),
    "widget settings of an agent": thing("PATCH", `/api/v1/agents/${agent}/widget-settings`, [
      { widget_enabled: false },
      { widget_enabled: true },
      { auth_mode: "both" },
    ]),
  };
}

const entries = async (user: Client) => (await user.get<{ total: number }>("/api/v1/audit-log?limit=1")).body.total;
const tagOf = async (user: Client, path: string) => (await user.get(path)).headers.get("etag") ?? "";

describe("If-Match", () => {
  it("accepts the first of two concurrent changes, and names its author to the second", async () => {
    const who = await tenant();
    for (const [what, { path, write, bodies }] of Object.entries(await things(who))) {
      const tag = await tagOf(who.user, path);
      expect(tag, what).toMatch(/^"\d+\.[^"]+"$/);
      const first = await write(who.server, bodies[0], { "if-match": tag });
      expect(first.status, what).toBeLessThan(300);
      const now = await tagOf(who.user, path);
      expect(first.headers.get("etag"), what).toBe(now);
      const logged = await entries(who.user);
      const before = (await who.user.get(path)).body;
      const second = await write(who.user, bodies[1], { "if-match": tag, accept: "application/problem+json" });
      expect(second.status, what).toBe(412);
      expect(second.body, what).toMatchObject({
        code: "changed_meanwhile",
        by: "the API key test",
        at: expect.stringMatching(/^\d{4}-.*Z$/),
      });
      expect((await who.user.get(path)).body, what).toEqual(before);
      expect(await entries(who.user), what).toBe(logged);
      expect((await write(who.user, bodies[1], { "if-match": now })).status, what).toBeLessThan(300);
    }
  });

  it("If-Match with one revision admits one of many concurrent changes", async () => {
    const who = await tenant();
    for (const [what, { path, write, bodies }] of Object.entries(await things(who))) {
      const tag = await tagOf(who.user, path);
      const many = await Promise.all([0, 1, 2, 0, 1].map((n) => write(who.user, bodies[n] ?? {}, { "if-match": tag })));
      expect(many.filter(({ status }) => status < 300).length, what).toBe(1);
      expect(many.filter(({ status }) => status === 412).length, what).toBe(4);
    }
  });

  it("may be weak, `*` or omitted, and answers 400 for a list or malformed tag, 412 for another resource's", async () => {
    const who = await tenant();
    for (const [what, { path, write, bodies }] of Object.entries(await things(who))) {
      const status = async (tag: string) => (await write(who.user, bodies[0], { "if-match": tag })).status;
      expect(await status(`W/${await tagOf(who.user, path)}`), what).toBeLessThan(300);
      expect(await status("*"), what).toBeLessThan(300);
      expect((await write(who.user, bodies[1])).status, what).toBeLessThan(300);
      const tag = await tagOf(who.user, path);
      expect(await status(`${tag}, "2.x"`), what).toBe(400);
      expect(await status("7"), what).toBe(400);
      expect(await status('"abc"'), what).toBe(412);
      expect(await tagOf(who.user, path), what).toBe(tag);
    }
    const list = await writer("PATCH", "/api/v1/call-settings")(who.user, {}, { "if-match": '"1.a", "2.b"' });
    expect([list.code, list.body]).toEqual(["invalid_if_match", expect.stringContaining("one ETag")]);
  });

  it("If-Match is compared with the defaults of settings that are not stored yet", async () => {
    const who = await tenant();
    for (const [what, { path, write, bodies }] of Object.entries(await things(who))) {
      const tag = await tagOf(who.user, path);
      for (const other of ['"7.x"', '"abc"']) {
        const answer = await write(who.user, bodies[0], { "if-match": other });
        expect([answer.status, answer.code], what).toEqual([412, "changed_meanwhile"]);
      }
      expect(await tagOf(who.user, path), what).toBe(tag);
      expect((await write(who.user, bodies[0], { "if-match": tag })).status, what).toBeLessThan(300);
    }
  });

  it("If-Match for a missing resource answers 404", async () => {
    const { user } = await tenant();
    const id = crypto.randomUUID();
    for (const [method, path, body] of [
      ["PATCH", `agents/${id}`, { name: "x" }],
      ["PATCH", `agents/${id}/widget-settings`, { widget_enabled: true }],
      ["PUT", `tools/${id}`, { description: "x" }],
      ["PUT", `playbooks/${id}`, { description: "x" }],
      ["PUT", `faqs/${id}`, { title: "x" }],
      ["POST", "integrations/none/install", {}],
      ["PATCH", `telephony/numbers/${id}`, { agent_id: null }],
      ["PATCH", `campaigns/${id}`, { name: "x" }],
    ] as const) {
      const answer = await writer(method, `/api/v1/${path}`)(user, body, { "if-match": '"1.x"' });
      expect(answer.status, path).toBe(404);
    }
  });

  it("leaves no prompt version behind if it fails, and names a user by email address", async () => {
    const { user, server } = await tenant();
    const { id } = (await user.post<{ id: string }>("/api/v1/agents", { name: "a" })).body;
    const path = `/api/v1/agents/${id}`;
    const tag = await tagOf(server, path);
    await user.patch(path, { greeting_message: "theirs" });
    const write = writer("PATCH", path);
    const late = await write(
      server,
      { system_prompt: "mine" },
      { "if-match": tag, accept: "application/problem+json" },
    );
    expect(late.body).toMatchObject({ status: 412, by: expect.stringMatching(/@.*\.example$/) });
    expect((await user.get<{ total: number }>(`${path}/prompts`)).body.total).toBe(1);
  });
});

describe("a revision", () => {
  it("does not change with a campaign's status or an agent's attachments, which PATCH cannot change", async () => {
    const { user } = await tenant();
    const { agent_id, from_number } = await ready({ server: user });
    const { id } = (await upload(user, contactsCsv(1), { agent_id, from_number })).body;
    const revision = async (path: string) => /^"(\d+)\./.exec(await tagOf(user, path))?.[1];
    const campaign = `/api/v1/campaigns/${id}`;
    const before = [await revision(campaign), await revision(`/api/v1/agents/${agent_id}`)];
    const tag = await tagOf(user, campaign);
    await user.post(`${campaign}/start`);
    await user.post(`${campaign}/pause`);
    await user.post(`/api/v1/agents/${agent_id}/faqs`, { faq_id: "opening_hours" });
    expect([await revision(campaign), await revision(`/api/v1/agents/${agent_id}`)]).toEqual(before);
    // The body differs, so the response is not 304.
    expect(await tagOf(user, campaign)).not.toBe(tag);
    expect((await user.get(campaign, { "if-none-match": tag })).status).toBe(200);
    expect((await user.get(campaign, { "if-none-match": await tagOf(user, campaign) })).status).toBe(304);
    expect((await writer("PATCH", campaign)(user, { name: "x" }, { "if-match": tag })).status).toBe(200);
  });

  it("does not change when a number is checked, and is raised when its agent is deleted", async () => {
    const { user } = await tenant();
    const { agent_id } = await ready({ server: user });
    const { numbers } = (await user.get<{ numbers: { id: string }[] }>("/api/v1/telephony/numbers")).body;
    const path = `/api/v1/telephony/numbers/${numbers[0]?.id}`;
    const assign = writer("PATCH", path);
    await assign(user, { agent_id });
    const tag = await tagOf(user, path);
    expect((await user.post(`${path}/check`)).status).toBe(200);
    expect(await tagOf(user, path)).not.toBe(tag);
    expect((await assign(user, { agent_id }, { "if-match": tag })).status).toBe(204);
    const assigned = await tagOf(user, path);
    expect((await user.delete(`/api/v1/agents/${agent_id}`)).status).toBe(204);
    expect((await assign(user, { agent_id: null }, { "if-match": assigned })).status).toBe(412);
  });

  it("uninstalling an integration raises its revision, so that no late change reinstalls it", async () => {
    const { user } = await tenant();
    const path = "/api/v1/integrations/slack";
    await user.post(`${path}/install`, { secrets: { bot_token: "1" } });
    const tag = await tagOf(user, path);
    expect((await user.post(`${path}/uninstall`)).status).toBe(200);
    const late = await writer("POST", `${path}/install`)(user, { secrets: { bot_token: "2" } }, { "if-match": tag });
    expect(late.status).toBe(412);
    expect((await user.get(path)).body).toMatchObject({ status: "available" });
  });

  it("restoring a prompt's version raises the revision", async () => {
    const { user } = await tenant();
    const { body } = await user.post<{ id: string; active_prompt_id: string }>("/api/v1/agents", { name: "a" });
    const path = `/api/v1/agents/${body.id}`;
    const tag = await tagOf(user, path);
    await user.post(`${path}/prompts/${body.active_prompt_id}/activate`);
    expect((await writer("PATCH", path)(user, { name: "x" }, { "if-match": tag })).status).toBe(412);
  });
});

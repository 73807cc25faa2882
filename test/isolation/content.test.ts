import { exports } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { contactsCsv, upload } from "../campaign/support.ts";
import { held } from "../records/conversations/support.ts";
import { apiKey, type Client, consoleUser, type Tenant, tenant } from "../support/client.ts";

interface Contact {
  id: string;
  phone_number: string;
  variables: Record<string, string> | null;
}
interface Conversation {
  id: string;
  variables: object | null;
  disposition: string | null;
  turns: unknown[] | null;
  agent_id: string;
}

const MASKED = /^•••• \d{4}$/;
const NUMBER = /\+1\d{10}/;

/** Returns the first data of a stream. */
async function firstFrame(path: string, headers: Record<string, string>): Promise<string> {
  const response = await exports.default.fetch(new Request(`https://switchboard.test${path}`, { headers }));
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  while (reader && !/^data: .*\n/m.test(text)) {
    const { value, done } = await reader.read();
    if (done) break;
    text += value;
  }
  await reader?.cancel();
  return text;
}

describe("content", () => {
  it("content of conversations is null without listen at every endpoint", async () => {
    const owner = await tenant();
    const id = await held(owner);
    const viewers = [
      await consoleUser(owner.account, "viewer"),
      (await apiKey(owner.user, { scopes: ["build"] })).server,
    ];
    const whole = (await owner.user.get<Conversation>(`/api/v1/conversations/${id}`)).body;
    expect(whole.turns?.length).toBeGreaterThan(0);
    for (const viewer of viewers) {
      const { status, body } = await viewer.get<Conversation>(`/api/v1/conversations/${id}`);
      expect([status, body.turns, body.variables, body.disposition]).toEqual([200, null, null, null]);
      const [first] = (await viewer.get<{ conversations: Conversation[] }>("/api/v1/conversations")).body.conversations;
      expect([first?.id, first?.variables]).toEqual([id, null]);
      for (const door of ["transcript", "trace", "events"])
        expect((await viewer.get(`/api/v1/conversations/${id}/${door}`)).code).toBe("missing_scope");
      for (const list of ["conversations", "calls"])
        expect((await viewer.get(`/api/v1/${list}/export`)).code).toBe("missing_scope");
    }
    const listener = await consoleUser(owner.account, "analyst");
    expect((await listener.get<Conversation>(`/api/v1/conversations/${id}`)).body).toEqual(whole);
  });

  it("content of contacts is null without listen or dial, and their numbers are masked", async () => {
    const owner = await tenant();
    const { id } = (await upload(owner.user, contactsCsv(2))).body as { id: string };
    const path = `/api/v1/campaigns/${id}/contacts`;
    const contactsFor = async (client: Client) => (await client.get<{ contacts: Contact[] }>(path)).body.contacts;
    const viewer = await consoleUser(owner.account, "viewer");
    for (const { id: contact, phone_number, variables } of await contactsFor(viewer)) {
      expect([phone_number, variables]).toEqual([expect.stringMatching(MASKED), null]);
      const one = (await viewer.get<Contact>(`${path}/${contact}`)).body;
      expect([one.phone_number, one.variables]).toEqual([expect.stringMatching(MASKED), null]);
    }
    for (const role of ["operator", "analyst"] as const) {
      const [first] = await contactsFor(await consoleUser(owner.account, role));
      expect([first?.phone_number, first?.variables]).toEqual([expect.stringMatching(NUMBER), expect.any(Object)]);
    }
    const { server: dialler } = await apiKey(owner.user, { scopes: ["dial"] });
    const [dialled] = await contactsFor(dialler);
    expect([dialled?.phone_number, dialled?.variables]).toEqual([expect.stringMatching(NUMBER), expect.any(Object)]);
    for (const download of ["export", "rejects", "duplicates", "history"])
      expect((await viewer.get(`/api/v1/campaigns/${id}/${download}`)).code).toBe("missing_scope");
    for (const filter of ["phone_number=%2B13035550110", "search=Ada"])
      expect((await viewer.get(`${path}?${filter}`)).code).toBe("missing_scope");
  });

  it("a caller who may not see numbers cannot search for content by number", async () => {
    const owner = await tenant();
    const viewer = await consoleUser(owner.account, "viewer");
    for (const list of ["calls", "conversations"]) {
      const path = `/api/v1/${list}?phone_number=%2B13035550110`;
      expect([list, (await viewer.get(path)).code]).toEqual([list, "missing_scope"]);
      expect([list, (await owner.user.get(path)).status]).toEqual([list, 200]);
    }
  });

  it("a caller who may not listen cannot search for content by disposition", async () => {
    const owner = await tenant();
    const { server: dialler } = await apiKey(owner.user, { scopes: ["dial"] });
    const path = "/api/v1/conversations?disposition=opted_out";
    for (const client of [await consoleUser(owner.account, "viewer"), dialler])
      expect((await client.get(path)).code).toBe("missing_scope");
    for (const client of [owner.user, await consoleUser(owner.account, "analyst")])
      expect((await client.get(path)).status).toBe(200);
  });

  it("a campaign's record masks numbers from its file", async () => {
    const owner = await tenant();
    const list = "phone_number\n030 1234567\n+12025550110\n";
    const { id } = (await upload(owner.user, list, { default_country: "DE" })).body;
    interface Record_ {
      import: { assumed: { examples: { written: string; phone_number: string; could_be: null }[] }[] };
    }
    const examplesFor = async (client: Client) =>
      (await client.get<Record_>(`/api/v1/campaigns/${id}`)).body.import.assumed[0]?.examples;
    const viewer = await consoleUser(owner.account, "viewer");
    expect(await examplesFor(owner.user)).toMatchObject([{ written: "030 1234567", phone_number: "+49301234567" }]);
    expect(await examplesFor(viewer)).toEqual([{ written: "•••• 4567", phone_number: "•••• 4567", could_be: null }]);
    expect(await firstFrame(`/api/v1/campaigns/${id}/events`, viewer.headers)).not.toContain("1234567");
  });

  it("content is masked in the audit log", async () => {
    const owner = await tenant();
    await owner.user.post("/api/v1/do-not-call", { numbers: ["+13035550110"] });
    await owner.user.delete("/api/v1/do-not-call/+13035550110");
    const idsFor = async (client: Client) =>
      (
        await client.get<{ entries: { resource_id: string }[] }>("/api/v1/audit-log?resource=do_not_call")
      ).body.entries.map(({ resource_id }) => resource_id);
    const { server: manager } = await apiKey(owner.user, { scopes: ["manage"] });
    expect(await idsFor(manager)).toEqual(["•••• 0110", "•••• 0110"]);
    expect(await idsFor(owner.user)).toEqual(["+13035550110", "+13035550110"]);
  });

  it("content is masked in listed and streamed events", async () => {
    const owner = await tenant();
    const viewer = await consoleUser(owner.account, "viewer");
    await owner.user.post("/api/v1/do-not-call", { numbers: ["+13035550110"] });
    const lists = async (client: Client) => {
      const { events } = (await client.get<{ events: { data: { phone_number: string } }[] }>("/api/v1/events")).body;
      return events.map(({ data }) => data.phone_number);
    };
    expect(await lists(owner.user)).toEqual(["+13035550110"]);
    expect(await lists(viewer)).toEqual(["•••• 0110"]);
    const streamed = firstFrame("/api/v1/events/stream", viewer.headers);
    await owner.user.post("/api/v1/do-not-call", { numbers: ["+13035550111"] });
    expect(await streamed).toContain("•••• 0111");
  });
});

const agentOf = async ({ user }: Tenant) => (await user.post<{ id: string }>("/api/v1/agents", { name: "a" })).body.id;

describe("a key that is limited to agents", () => {
  it("sees only rows of those agents", async () => {
    const owner = await tenant();
    const [agent_id, other] = [await agentOf(owner), await agentOf(owner)];
    const id = await held(owner, { agent_id });
    const [own, foreign] = [
      (await apiKey(owner.user, { agent_ids: [agent_id] })).server,
      (await apiKey(owner.user, { agent_ids: [other] })).server,
    ];
    const idsFor = async (client: Client) =>
      (await client.get<{ conversations: Conversation[] }>("/api/v1/conversations")).body.conversations.map(
        (one) => one.id,
      );
    expect([await idsFor(own), await idsFor(foreign)]).toEqual([[id], []]);
    for (const door of ["", "/transcript", "/trace", "/events"]) {
      expect([door, (await own.get(`/api/v1/conversations/${id}${door}`)).status]).toEqual([door, 200]);
      expect([door, (await foreign.get(`/api/v1/conversations/${id}${door}`)).status]).toEqual([door, 404]);
    }
    expect((await foreign.get(`/api/v1/conversations?agent_id=${agent_id}`)).code).toBe("agent_not_allowed");
    expect((await own.get<{ id: string }[]>("/api/v1/agents")).body.map((agent) => agent.id)).toEqual([agent_id]);
    expect((await foreign.get(`/api/v1/agents/${agent_id}`)).status).toBe(404);
    const order = { agent_id, from_number: "+12025550100", to_number: "+13035550110" };
    expect((await foreign.post("/api/v1/calls/originate", order)).code).toBe("agent_not_allowed");
  });

  it("a key limited to agents is refused by an operation that ignores agents", async () => {
    const owner = await tenant();
    const { server } = await apiKey(owner.user, { agent_ids: [await agentOf(owner)] });
    for (const path of ["telephony/numbers", "do-not-call", "integrations"])
      expect([path, (await server.get(`/api/v1/${path}`)).code]).toEqual([path, "agent_not_allowed"]);
  });

  it("does not get a response that was cached for another caller", async () => {
    const owner = await tenant();
    const [one] = [await agentOf(owner), await agentOf(owner)];
    const { server } = await apiKey(owner.user, { agent_ids: [one] });
    for (const _ of [1, 2]) {
      expect((await owner.user.get<unknown[]>("/api/v1/agents")).body).toHaveLength(2);
      expect((await server.get<unknown[]>("/api/v1/agents")).body).toHaveLength(1);
    }
  });
});

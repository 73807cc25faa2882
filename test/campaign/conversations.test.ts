import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { dialDependencies } from "../../src/campaign/dial/dependencies.ts";
import { beginCall, takeCallEvent } from "../../src/campaign/store/call-transitions.ts";
import { accountStore } from "../../src/kernel/durable/account-stores.ts";
import type { CallEvent } from "../../src/phone/carriers/carrier.ts";
import { type Calls, caller, isOver } from "../phone/calls/support.ts";
import { apiKey } from "../support/client.ts";
import { type Campaign, type Contact, contactOf, started, until } from "./support.ts";
import { CALM, draft, inObject, LIMITS, World } from "./world/virtual-world.ts";

const NONE = "0190b1a0-0000-7000-8000-000000000000";
const HELD = "0190b1a0-0000-7000-8000-00000000000a";

/**
 * Creates a completed campaign with contacts in their own zones and in the campaign's. One of them was called twice.
 */
async function over() {
  const who = await caller();
  const csv = `name,phone_number,TimeZone,__proto__\nAnn,+13035550110,Europe/Berlin,x\nBob,+13035550101,,\n`;
  const retry_config = JSON.stringify({ max_attempts: 2, retry_interval_minutes: 0, retry_on: ["busy"] });
  const path = await started(who, csv, { retry_config, timezone: "America/New_York" });
  await until(
    async () => (await who.server.get<Campaign>(path)).body,
    ({ status }) => status === "completed",
  );
  const id = path.split("/").at(-1) ?? "";
  const list = async () => (await who.server.get<{ contacts: Contact[] }>(`${path}/contacts`)).body.contacts;
  return { ...who, id, path, list, object: env.CAMPAIGN.getByName(`${who.account}/${id}`) };
}

describe("the session of a campaign call", () => {
  it("contains the line, the contact with columns and time zone, and the end time", async () => {
    const { object, from_number, list, server, path } = await over();
    const [ann, bob] = await list();
    const first = await object.session(ann?.call_id ?? "");
    expect(first).toEqual({
      direction: "outbound",
      api_key_id: null,
      campaign_id: path.split("/").at(-1),
      pinned_version: null,
      contact_id: ann?.id,
      from_number,
      to_number: "+13035550110",
      provider: "sandbox",
      variables: [
        ["phone_number", "+13035550110"],
        ["name", "Ann"],
        ["TimeZone", "Europe/Berlin"],
        ["__proto__", "x"],
      ],
      disclosure: null,
      contact_timezone: "Europe/Berlin",
      campaign_timezone: "America/New_York",
      ended_at: Date.parse(String((await contactOf(server, path)).attempts[0]?.ended_at)),
    });
    expect(await object.session(bob?.call_id ?? "")).toMatchObject({
      contact_id: bob?.id,
      variables: [
        ["phone_number", "+13035550101"],
        ["name", "Bob"],
        ["TimeZone", ""],
        ["__proto__", ""],
      ],
      contact_timezone: null,
      campaign_timezone: "America/New_York",
    });
  });

  it("a campaign call's session is null for an unknown call and after deletion", async () => {
    const { object, list, server, path } = await over();
    const [ann] = await list();
    expect(await object.session(NONE)).toBeNull();
    expect(await env.CAMPAIGN.getByName(`nobody/${NONE}`).session(NONE)).toBeNull();
    expect((await server.delete(path)).status).toBe(204);
    expect(await object.session(ann?.call_id ?? "")).toBeNull();
    await object.conversation(ann?.call_id ?? "", { conversation_id: HELD, disposition: "sale", agent_version: null });
  });
});

describe("the conversation of a contact's latest call", () => {
  it("a contact's latest conversation is shown in the list, the contact and the export", async () => {
    const { object, list, server, path, id } = await over();
    const [ann, bob] = await list();
    expect([ann, bob]).toMatchObject([
      { conversation_id: null, disposition: null },
      { conversation_id: null, disposition: null },
    ]);
    const history = async () => (await server.get<string>(`${path}/history`)).body;
    const calls = async () => (await server.get<Calls>(`/api/v1/calls?campaign_id=${id}`)).body.calls;
    await until(calls, (all) => all.length === 3 && all.every(isOver));
    const before = { history: await history(), campaign: (await server.get(path)).body, calls: await calls() };

    const held = { conversation_id: HELD, disposition: "=sale", agent_version: 3 };
    await object.conversation(ann?.call_id ?? "", held);
    await object.conversation(ann?.call_id ?? "", held);
    await object.conversation(NONE, held);
    expect(await list()).toEqual([{ ...ann, ...held }, bob]);
    expect(await contactOf(server, path)).toMatchObject({ ...held, attempts: [held] });
    const { data, meta } = Papa.parse<Record<string, string>>((await server.get<string>(`${path}/export`)).body, {
      header: true,
      skipEmptyLines: true,
    });
    const names =
      "phone_number status outcome failure_reason attempt_count last_attempt_at call_id disposition agent_version successful summary name";
    expect(meta.fields?.slice(0, 12)).toEqual(names.split(" "));
    expect(data).toMatchObject([
      { call_id: ann?.call_id, disposition: "'=sale", agent_version: "3", name: "Ann" },
      { disposition: "", agent_version: "", name: "Bob" },
    ]);
    expect({ history: await history(), campaign: (await server.get(path)).body, calls: await calls() }).toEqual(before);

    await object.conversation(ann?.call_id ?? "", { conversation_id: null, disposition: null, agent_version: null });
    expect(await list()).toEqual([ann, bob]);
  });

  it("a contact's conversation is shown with its analysis until it is erased", async () => {
    const { object, list, server, path, user } = await over();
    const [ann, bob] = await list();
    const call = ann?.call_id ?? "";
    const held = { conversation_id: HELD, disposition: "sale", agent_version: null };
    const analysis = { successful: "success" as const, summary: "=S.", data: { seats: 2, vip: true } };
    // An analysis of a conversation that isn't the call's is ignored.
    await object.analyzed(call, HELD, analysis);
    expect(await list()).toEqual([ann, bob]);
    await object.conversation(call, held);
    await object.analyzed(call, HELD, analysis);
    expect(await list()).toEqual([{ ...ann, ...held, ...analysis }, bob]);
    const { data } = Papa.parse<Record<string, string>>((await server.get<string>(`${path}/export`)).body, {
      header: true,
      skipEmptyLines: true,
    });
    const shown = { successful: "success", summary: "'=S.", "data.seats": "2", "data.vip": "true", name: "Ann" };
    expect(data).toMatchObject([shown, { successful: "", summary: "", "data.seats": "", name: "Bob" }]);
    const { server: reader } = await apiKey(user, { scopes: ["read"] });
    const { body } = await reader.get<{ contacts: object[] }>(`${path}/contacts`);
    expect(body.contacts[0]).toMatchObject({ successful: "success", summary: null, data: null });
    await object.unlinkConversations([call]);
    expect(await list()).toEqual([ann, bob]);
  });

  it("a contact's conversation is shown with unverified values if the state asks for them", async () => {
    const { object, server, path } = await over();
    type Shown = Contact & { data: unknown };
    const contacts = async (query: string) =>
      (await server.get<{ contacts: Shown[] }>(`${path}/contacts${query}`)).body.contacts;
    const [ann] = await contacts("");
    const call = ann?.call_id ?? "";
    await object.conversation(call, { conversation_id: HELD, disposition: "sale", agent_version: null });
    const analysis = { successful: "success" as const, summary: "S.", data: { seats: 2 } };
    await object.analyzed(
      call,
      HELD,
      Object.assign({ unverified: { email: "a@b.example" }, absent: { day: "invalid" as const } }, analysis),
    );
    const data = async (query: string) => (await contacts(query))[0]?.data;
    expect(await data("")).toEqual({ seats: 2 });
    expect(await data("?state=found,unverified")).toEqual({ seats: 2, email: "a@b.example" });
    expect(await data("?state=unverified")).toEqual({ email: "a@b.example" });
    const one = `${path}/contacts/${ann?.id}`;
    expect((await server.get<Shown>(one)).body.data).toEqual({ seats: 2 });
    expect((await server.get<Shown>(`${one}?state=found,unverified`)).body.data).toEqual({
      seats: 2,
      email: "a@b.example",
    });
    expect(await server.get(`${path}/contacts?state=invalid`)).toMatchObject({ status: 400, code: "invalid_request" });
    const file = Papa.parse<Record<string, string>>((await server.get<string>(`${path}/export`)).body, {
      header: true,
    });
    expect(file.meta.fields?.filter((name) => name.startsWith("data."))).toEqual([
      "data.email",
      "data.email.state",
      "data.seats",
      "data.seats.state",
    ]);
    expect(file.data[0]).toMatchObject({
      "data.email": "a@b.example",
      "data.email.state": "unverified",
      "data.seats": "2",
      "data.seats.state": "found",
    });
  });

  it("an earlier call's conversation stays with its attempt", async () => {
    const { object, server, path } = await over();
    const { attempts, call_id } = await contactOf(server, path, 1);
    const [earlier] = attempts;
    expect([attempts.length, earlier?.call_id === call_id]).toEqual([2, false]);
    const held = { conversation_id: HELD, disposition: "callback" };
    await object.conversation(String(earlier?.call_id), { ...held, agent_version: null });
    expect(await contactOf(server, path, 1)).toMatchObject({
      conversation_id: null,
      disposition: null,
      attempts: [held, { conversation_id: null, disposition: null }],
    });
  });

  it("survives a restart of the object", async () => {
    const { object, list } = await over();
    const [ann] = await list();
    await object.conversation(ann?.call_id ?? "", { conversation_id: HELD, disposition: "sale", agent_version: null });
    const stored = await runInDurableObject(object as unknown as DurableObjectStub, (_, { storage }) =>
      storage.sql.exec("SELECT conversation_id, disposition FROM attempts WHERE call_id = ?", ann?.call_id ?? "").one(),
    );
    expect(stored).toEqual({ conversation_id: HELD, disposition: "sale" });
  });
});

describe("the conversations of a campaign's calls", () => {
  const callEvent = (status: CallEvent["status"]): CallEvent => ({
    provider_call_id: null,
    status,
    answered_by: null,
    reason: "",
    recording: null,
  });

  /**
   * Creates five calls that end differently, and records the notifications of their conversations when the slots are
   * returned.
   */
  function endedConversations(vars: { SANDBOX_CONVERSATION: string; provider: string; fails?: boolean }) {
    return inObject(async (storage) => {
      const world = new World(CALM);
      const store = draft({ ...CALM, contacts: 5 }, world, storage);
      const ends = { completed: true, hungUp: true, unheard: true, busy: false, canceled: false };
      const line = {
        provider: vars.provider,
        from_number: "+12025550100",
        credentials_id: null,
        agent_id: "agent",
        pinned_version: null,
        disclosure: null,
        recorded: 1,
      };
      for (const [i, call] of Object.keys(ends).entries()) {
        const contact = store.contacts.get(i + 1);
        if (!contact) throw new Error("no contact");
        beginCall(store, contact, call, line, LIMITS, world.now);
        const take = (status: CallEvent["status"]) => takeCallEvent(store, call, callEvent(status), LIMITS, world.now);
        if (["completed", "hungUp"].includes(call)) take("in-progress");
        take(
          ({ hungUp: "canceled", unheard: "completed", busy: "busy", canceled: "canceled" } as const)[call] ??
            "completed",
        );
      }
      const ended: string[] = [];
      const fakes = {
        ACCOUNT_METER: { getByName: () => ({ exchange: async () => ({ granted: 0, refusal: null }) }) },
        CONVERSATION: {
          getByName: (name: string) => ({
            callEnded: async () => {
              ended.push(name);
              if (vars.fails) throw new Error("the conversation is away");
            },
          }),
        },
      };
      const bindings = { ...env, ...fakes, SANDBOX_CONVERSATION: vars.SANDBOX_CONVERSATION } as unknown as Env;
      const rows = accountStore(env, "a", { actor: "test", request_id: "" });
      const deps = dialDependencies(bindings, store, rows, () => {});
      const changes = store.attempts.leaseChanges();
      expect(changes.free.toSorted()).toEqual(Object.keys(ends).sort());
      expect(await deps.exchange({ ...changes, held: null, take: [] })).toEqual({ granted: 0, refusal: null });
      return ended.sort();
    });
  }

  it("a campaign's conversations are notified when slots are freed, if the call was answered", async () => {
    const answered = ["a/completed", "a/hungup", "a/unheard"];
    expect(await endedConversations({ provider: "twilio", SANDBOX_CONVERSATION: "off" })).toEqual(answered);
    expect(await endedConversations({ provider: "sandbox", SANDBOX_CONVERSATION: "on" })).toEqual(answered);
    expect(await endedConversations({ provider: "sandbox", SANDBOX_CONVERSATION: "on", fails: true })).toEqual(
      answered,
    );
  });

  it("a campaign's conversations are not notified if the sandbox holds none", async () => {
    expect(await endedConversations({ provider: "sandbox", SANDBOX_CONVERSATION: "off" })).toEqual([]);
  });
});

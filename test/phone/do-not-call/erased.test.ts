import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { rekey } from "../../../src/account/operators/rekey.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { NumberMask } from "../../../src/kernel/mask-number.ts";
import { Vault } from "../../../src/kernel/secrets/vault.ts";
import { blockedAmong, blockedRead } from "../../../src/phone/do-not-call/blocked.ts";
import { eraseNumber, maskReasons } from "../../../src/phone/do-not-call/erase-number.ts";
import { KEY_ID, OptOutKey, sealNewKey } from "../../../src/phone/do-not-call/opt-out-key.ts";
import { type Campaign, contactsCsv, isOver, ready, upload, watch } from "../../campaign/support.ts";
import { eventsOf } from "../../support/broken-objects.ts";
import { type Client, tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";
import { caller, originate } from "../calls/support.ts";

const LIST = "/api/v1/do-not-call";
const NUMBER = "+13035550110";

type Who = { account: string; server: Client };
const storeOf = ({ account }: { account: string }) => accountStore(env, account, { actor: "test", request_id: "" });
const erase = (who: Who, number = NUMBER) => eraseNumber({ env, store: storeOf(who) }, number);
const listed = async ({ server }: Who) =>
  (await server.get<{ total: number; numbers: { phone_number: string }[] }>(LIST)).body;
const rowsOf = async ({ account }: Who) =>
  (
    await env.DB.prepare("SELECT id, sealed FROM erased_opt_outs WHERE account = ? ORDER BY id")
      .bind(account)
      .all<{ id: string; sealed: string | null }>()
  ).results;

/** Returns the numbers that the account may not call, with these encryption keys. */
async function refused(who: Who, numbers: string[], ENCRYPTION_KEYS = env.ENCRYPTION_KEYS): Promise<string[]> {
  const context = { env: { ENCRYPTION_KEYS }, store: storeOf(who) };
  const [found] = await context.store.read(blockedRead(context.store, numbers));
  return [...(await blockedAmong(context, numbers, found))];
}

/** Stores opt-outs of erased people in D1 under a key that was not opened yet. */
async function keptUnderNewKey(who: Who, numbers: string[]): Promise<void> {
  const sealed = await sealNewKey(env, who.account);
  const opened = await new Vault(env.ENCRYPTION_KEYS).open(sealed, {
    account: who.account,
    table: "erased_opt_outs",
    id: KEY_ID,
  });
  const key = new OptOutKey(sealed, String(opened));
  await env.DB.batch([
    env.DB.prepare("DELETE FROM erased_opt_outs WHERE account = ?").bind(who.account),
    env.DB.prepare("INSERT INTO erased_opt_outs (account, id, sealed) VALUES (?, ?, ?)").bind(
      who.account,
      KEY_ID,
      sealed,
    ),
    env.DB.prepare("INSERT INTO erased_opt_outs (account, id) SELECT ?, value FROM json_each(?)").bind(
      who.account,
      JSON.stringify(numbers.map((number) => key.idOf(number))),
    ),
  ]);
}

describe("opt-outs of erased people", () => {
  it("an erased person's opt-out still refuses calls without being listed", async () => {
    const who = await caller();
    await who.server.post(LIST, { numbers: [NUMBER, "+13035550111"], reason: "asked" });
    expect(await erase(who)).toBe(1);
    expect(await listed(who)).toMatchObject({ total: 1, numbers: [{ phone_number: "+13035550111" }] });
    for (const number of [NUMBER, "+13035550111"]) {
      const answer = await originate(who, number);
      expect([answer.status, answer.code], number).toEqual([400, "do_not_call"]);
    }
    expect((await originate(who, "+13035550112")).status).toBe(200);
  });

  it("a campaign excludes erased opt-outs when it dials and counts them once in its plan", async () => {
    const who = await tenant();
    const created = await upload(who.server, contactsCsv(4), await ready(who));
    const path = `/api/v1/campaigns/${created.body.id}`;
    const erased = ["+13034000010", "+13034000110"];
    await who.server.post(LIST, { numbers: [...erased, "+13034000210", "+13039999999"] });
    for (const number of [...erased, "+13039999999"]) await erase(who, number);
    // One of them is listed again.
    await who.server.post(LIST, { numbers: erased.slice(0, 1) });
    type Plan = { waiting: { do_not_call: number } };
    expect((await who.server.get<Plan>(`${path}/plan`)).body.waiting.do_not_call).toBe(3);
    const watching = watch(who.server, created.body.id, isOver);
    await who.server.post(`${path}/start`);
    await watching;
    expect((await who.server.get<Campaign>(path)).body.counts).toMatchObject({ completed: 1, failed: 3 });
    type Contacts = { contacts: { phone_number: string }[] };
    const { contacts } = (await who.server.get<Contacts>(`${path}/contacts?outcome=do_not_call`)).body;
    expect(contacts.map(({ phone_number }) => phone_number)).toEqual([...erased, "+13034000210"]);
  });

  it("an erased opt-out that is added again is listed as a new entry", async () => {
    const who = await caller();
    await who.server.post(LIST, { numbers: [NUMBER] });
    await erase(who);
    expect((await who.server.post(LIST, { numbers: [NUMBER] })).body).toEqual({ added: 1 });
    expect((await listed(who)).total).toBe(1);
    const added = (await eventsOf(who.account)).filter(({ type }) => type === "opt_out.added");
    expect(added).toHaveLength(2);
    expect((await who.server.delete(`${LIST}/${NUMBER}`)).status).toBe(204);
    expect(await refused(who, [NUMBER])).toEqual([]);
    await who.server.post(LIST, { numbers: [NUMBER] });
    await erase(who);
    expect((await who.server.delete(`${LIST}/${NUMBER}`)).status).toBe(204);
    expect((await who.server.delete(`${LIST}/${NUMBER}`)).status).toBe(404);
    expect((await originate(who, NUMBER)).status).toBe(200);
    type Entries = { entries: { resource: string; resource_id: string }[] };
    const { entries } = (await who.server.get<Entries>("/api/v1/audit-log?action=delete")).body;
    expect(entries.filter(({ resource }) => resource === "do_not_call")).toHaveLength(2);
  });

  it("an erasure keeps an opt-out once, only for numbers that had opted out", async () => {
    const who = await tenant();
    expect(await erase(who)).toBe(0);
    expect(await rowsOf(who)).toEqual([]);
    await who.server.post(LIST, { numbers: [NUMBER] });
    expect([await erase(who), await erase(who)]).toEqual([1, 0]);
    expect(await rowsOf(who)).toHaveLength(2);
    const both = await tenant();
    await both.server.post(LIST, { numbers: [NUMBER, "+13035550111"] });
    await Promise.all([erase(both), erase(both, "+13035550111")]);
    expect((await refused(both, [NUMBER, "+13035550111"])).sort()).toEqual([NUMBER, "+13035550111"]);
  });

  it("an erased opt-out matches every spelling of its number", async () => {
    const who = await caller();
    await keptUnderNewKey(who, ["+4407911123456", "+5215512345678"]);
    expect(await refused(who, ["+447911123456", "+525512345678", NUMBER])).toEqual(["+447911123456", "+525512345678"]);
    expect((await originate(who, "+44 (0)7911 123456")).code).toBe("do_not_call");
    const created = await upload(who.server, "phone_number\n+447911123456\n+12025550111\n");
    type Plan = { waiting: { do_not_call: number } };
    const plan = await who.server.get<Plan>(`/api/v1/campaigns/${created.body.id}/plan`);
    expect(plan.body.waiting.do_not_call).toBe(1);
    expect((await who.server.delete(`${LIST}/+44 07911 123456`)).status).toBe(204);
    expect(await refused(who, ["+447911123456"])).toEqual([]);
  });

  it("an erased opt-out costs a call no extra round trip", async () => {
    const trips = async (opted: string[]) => {
      const who = await caller();
      await who.server.post(LIST, { numbers: ["+13035550133", ...opted] });
      for (const number of opted) await erase(who, number);
      const { agent_id, from_number } = who;
      const body = { agent_id, from_number, to_number: "+13035550110" };
      const counted = await countRoundTrips("/api/v1/calls/originate", who.server.headers, { method: "POST", body });
      const { status, d1, objects } = counted;
      return { status, d1, objects };
    };
    const [without, withThem] = [await trips([]), await trips([NUMBER.replace("0110", "0144")])];
    expect(without.status).toBe(200);
    expect(withThem).toEqual(without);
  });

  it("erased opt-outs are found on a cold start and after a change of key", async () => {
    const who = await tenant();
    const others = Array.from({ length: 1_500 }, (_, i) => `+1303555${2000 + i}`);
    await keptUnderNewKey(who, [NUMBER]);
    expect(await refused(who, ["+13035550111", NUMBER])).toEqual([NUMBER]);
    await keptUnderNewKey(who, [...others, NUMBER]);
    expect(await refused(who, ["+13035550111", NUMBER])).toEqual([NUMBER]);
    const cold = await tenant();
    await keptUnderNewKey(cold, [...others, NUMBER]);
    expect(await refused(cold, ["+13035550111", NUMBER])).toEqual([NUMBER]);
  });

  it("an erased opt-out leaves no number in the reasons of others", async () => {
    const who = await tenant();
    await who.server.post(LIST, { numbers: ["+13035550111"], reason: "husband of (303) 555-0110" });
    await who.server.post(LIST, { numbers: ["+13035550112"] });
    const mask = new NumberMask(NUMBER);
    expect(await maskReasons(storeOf(who), mask, "", 10)).toEqual({ masked: 1, next: null });
    expect(await maskReasons(storeOf(who), mask, "", 10)).toEqual({ masked: 0, next: null });
    expect((await listed(who)).numbers).toMatchObject([{}, { reason: "husband of [PHONE]" }]);
  });
});

describe("opt-outs of erased people without their key", () => {
  it("opt-outs stay unchanged by an erasure if no encryption key is configured", async () => {
    const who = await tenant();
    await who.server.post(LIST, { numbers: [NUMBER] });
    const context = { env: { ENCRYPTION_KEYS: "" }, store: storeOf(who) };
    await expect(eraseNumber(context, NUMBER)).rejects.toThrow();
    expect((await listed(who)).total).toBe(1);
  });

  it("an erased opt-out under a lost encryption key is an error, never a free number", async () => {
    const who = await tenant();
    await env.DB.prepare("DELETE FROM erased_opt_outs").run();
    const [first = "", second = ""] = env.PRINTED_KEYS;
    await who.server.post(LIST, { numbers: [NUMBER] });
    await eraseNumber({ env: { ENCRYPTION_KEYS: first }, store: storeOf(who) }, NUMBER);
    const { DB, ACCOUNT_GATE } = env;
    expect(await rekey({ DB, ACCOUNT_GATE }, new Vault(`${second},${first}`))).toMatchObject({ resealed: 1 });
    expect(await refused(who, [NUMBER], second)).toEqual([NUMBER]);
    await keptUnderNewKey(who, [NUMBER]);
    await expect(refused(who, [NUMBER], first)).rejects.toThrow();
  });
});

describe("opt-outs of erased people are private", () => {
  it("an erased opt-out shows no number and differs between accounts", async () => {
    const [one, two] = [await tenant(), await tenant()];
    for (const who of [one, two]) {
      await who.server.post(LIST, { numbers: [NUMBER] });
      await erase(who);
    }
    const [first, second] = [await rowsOf(one), await rowsOf(two)];
    expect(JSON.stringify([first, second])).not.toContain("3035550110");
    expect(first.filter(({ sealed }) => sealed === null).map(({ id }) => id)).not.toEqual(
      second.filter(({ sealed }) => sealed === null).map(({ id }) => id),
    );
    expect(first.map(({ id, sealed }) => [id.length, sealed === null])).toEqual([
      [KEY_ID.length, false],
      [64, true],
    ]);
  });

  it("an erased opt-out applies to one account alone", async () => {
    const [who, stranger] = [await tenant(), await tenant()];
    await who.server.post(LIST, { numbers: [NUMBER] });
    await stranger.server.post(LIST, { numbers: [NUMBER] });
    await erase(who);
    expect((await listed(stranger)).total).toBe(1);
    await stranger.server.delete(`${LIST}/${NUMBER}`);
    expect(await refused(stranger, [NUMBER])).toEqual([]);
    expect(await refused(who, [NUMBER])).toEqual([NUMBER]);
  });
});

import {
  createExecutionContext,
  createScheduledController,
  runInDurableObject,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it, vi } from "vitest";
import { app } from "../../../src/app.ts";
import { Campaign as CampaignObject } from "../../../src/campaign/campaign.ts";
import worker, { AccountLedger } from "../../../src/index.ts";
import { type Campaign, contactOf, contactsCsv, ready, started, until } from "../../campaign/support.ts";
import { BASE, type Tenant, tenant } from "../../support/client.ts";
import { evict } from "../../support/evict.ts";
import { newId } from "../../support/ids.ts";
import { onLedger } from "../../support/ledger.ts";
import {
  BEGAN,
  campaignDoes,
  endedRow,
  held,
  LIVE,
  later,
  ledgerDoes,
  ledgerOf,
  leftOf,
  objectDoes,
  PATH,
  putRows,
} from "./support.ts";

const DAY_MS = 86_400_000;
const WHOLE = { file: true, row: true };
const GONE = { file: false, row: false };

/** Runs the cleanup job this many days after the conversations of these tests began. */
async function cleanUp(days: number): Promise<void> {
  const context = createExecutionContext();
  const scheduledTime = new Date(Date.parse(BEGAN) + days * DAY_MS);
  await worker.scheduled(createScheduledController({ scheduledTime, cron: "7 * * * *" }), env);
  await waitOnExecutionContext(context);
}

const WAIT = { interval: 20 };
/** Waits until the assertion holds, because the ledger deletes by its own alarm. */
const soon = (assertion: () => Promise<void>) => vi.waitFor(assertion, WAIT);

async function keeping(days: number | null): Promise<Tenant> {
  const who = await tenant();
  expect((await who.user.patch("/api/v1/call-settings", { retention_days: days })).status).toBe(200);
  return who;
}

/**
 * Creates a conversation on the call of a campaign's only contact. Returns functions that read the contact and the
 * campaign's exported rows.
 */
async function onCampaign(who: Tenant) {
  const path = await started({ ...who, ...(await ready(who)) }, contactsCsv(1, "01"));
  await until(
    async () => (await who.server.get<Campaign>(path)).body,
    ({ status }) => status === "completed",
  );
  const campaign_id = path.slice(path.lastIndexOf("/") + 1);
  const { call_id } = await contactOf(who.server, path);
  const id = await held(who, { campaign_id, call_id });
  const object = env.CAMPAIGN.getByName(`${who.account}/${campaign_id}`);
  await object.conversation(call_id ?? "", { conversation_id: id, disposition: "booked", agent_version: null });
  const run = { id: newId(), tool_name: "look", at: BEGAN, conversation_id: id, tool_call_id: "t1", ok: true };
  await ledgerOf(who).report([
    { part: "tool_run", row: Object.assign(run, { status: 200, duration_ms: 5, error: null }) },
  ]);
  const contact = () => contactOf(who.server, path);
  const rows = async () => (await who.server.get<string>(`${path}/export`)).body;
  return { id, campaign_id, contact, rows };
}

const UNLINKED = { conversation_id: null, disposition: null };

describe("a conversation on a campaign's call", () => {
  it.each([
    ["deleted", (who: Tenant, id: string) => who.user.delete(`${PATH}/${id}`)],
    ["older than its account keeps it", () => cleanUp(2)],
  ])("a conversation leaves nothing with its contact once it is %s", async (_, erase) => {
    const who = await keeping(1);
    const { id, contact, rows } = await onCampaign(who);
    expect(await contact()).toMatchObject({ conversation_id: id, disposition: "booked", agent_version: null });
    expect(await rows()).toContain("booked");
    await erase(who, id);
    await soon(async () => expect(await leftOf(who, id)).toEqual(GONE));
    await soon(async () => expect(await contact()).toMatchObject(Object.assign({ attempts: [UNLINKED] }, UNLINKED)));
    expect(await rows()).not.toContain("booked");
    expect(await runsOf(who, id)).toBe(0);
  });

  it("a conversation is deleted even if its campaign cannot be notified yet", async () => {
    const who = await keeping(1);
    const campaign = await onCampaign(who);
    const other = await held(who);
    await campaignDoes(who, campaign.campaign_id, { unlinkConversations: () => Promise.reject(new Error("away")) });
    await cleanUp(2);
    await soon(async () => expect([await leftOf(who, campaign.id), await leftOf(who, other)]).toEqual([GONE, GONE]));
    expect(await campaign.contact()).toMatchObject({ disposition: "booked" });
    await soon(async () => expect(await inLedger(who, "SELECT max(tries) n FROM notices")).toBeGreaterThan(0));
    await campaignDoes(who, campaign.campaign_id, {
      unlinkConversations: CampaignObject.prototype.unlinkConversations,
    });
    await soon(async () => expect(await campaign.contact()).toMatchObject(UNLINKED));
    await soon(async () => expect(await inLedger(who, "SELECT count(*) n FROM notices")).toBe(0));
  });
});

/** Counts the tool runs that still name the conversation. */
const runsOf = (who: Tenant, id: string) =>
  inLedger(who, `SELECT count(*) n FROM tool_runs WHERE conversation_id = '${id}'`);

describe("the retention of conversations", () => {
  it("deletes conversations that are too old, and none if the account has no retention", async () => {
    const [week, month, always, never] = [await keeping(7), await keeping(30), await keeping(null), await tenant()];
    const all = [week, month, always, never];
    const ids = await Promise.all(all.map((who) => held(who)));
    const later = await held(week, { started_at: new Date(Date.parse(BEGAN) + DAY_MS).toISOString() });
    const left = () => Promise.all(all.map(async (who, i) => (await leftOf(who, ids[i] ?? "")).row));
    await cleanUp(6.5);
    expect(await left()).toEqual([true, true, true, true]);
    await cleanUp(7.5);
    await soon(async () => expect(await left()).toEqual([false, true, true, true]));
    expect([await leftOf(week, ids[0] ?? ""), await leftOf(week, later)]).toEqual([GONE, WHOLE]);
    await cleanUp(31);
    await soon(async () => expect(await left()).toEqual([false, false, true, true]));
    await cleanUp(9_999);
    await soon(async () => expect(await leftOf(week, later)).toEqual(GONE));
    expect(await left()).toEqual([false, false, true, true]);
    expect((await week.user.get(`${PATH}/${ids[0]}`)).status).toBe(404);
  });

  it("keeps live conversations, and asks the object of one that was never archived to erase it", async () => {
    const who = await keeping(1);
    const [live, stuck] = [endedRow(LIVE), endedRow({ archived: false })];
    await putRows(who, [live, stuck]);
    const erased = await watchErasing(who, stuck.session_key);
    const old = await watchErasing(who, live.session_key);
    await cleanUp(2);
    await soon(async () => expect(erased).toEqual(["erase"]));
    expect([(await leftOf(who, live.id)).row, (await leftOf(who, stuck.id)).row]).toEqual([true, false]);
    expect(old).toEqual([]);
  });

  it("continues with the next account if a ledger fails, which is retried an hour later", async () => {
    const [broken, fine] = [await keeping(1), await keeping(1)];
    const [theirs, ours] = [await held(broken), await held(fine)];
    await ledgerDoes(broken, { keepFrom: () => Promise.reject(new Error("away")) });
    await cleanUp(2);
    await soon(async () => expect(await leftOf(fine, ours)).toEqual(GONE));
    expect(await leftOf(broken, theirs)).toEqual(WHOLE);
    const owed = "SELECT retention_owed_since IS NOT NULL owed FROM accounts WHERE name = ?";
    const isOwed = async (who: Tenant) =>
      (await env.DB.prepare(owed).bind(who.account).first<{ owed: number }>())?.owed;
    expect([await isOwed(broken), await isOwed(fine)]).toEqual([1, 0]);
    await ledgerDoes(broken, { keepFrom: AccountLedger.prototype.keepFrom });
    await cleanUp(2 + 1.1 / 24);
    await soon(async () => expect(await leftOf(broken, theirs)).toEqual(GONE));
    expect(await isOwed(broken)).toBe(0);
  });

  it("deletes from other objects while one object fails", async () => {
    const who = await keeping(1);
    const [stuck, other] = [endedRow({ archived: false }), endedRow({ archived: false })];
    await putRows(who, [stuck, other]);
    await objectDoes(who, stuck.session_key, { erase: () => Promise.reject(new Error("away")) });
    const erased = await watchErasing(who, other.session_key);
    await cleanUp(2);
    await soon(async () => expect(erased).toEqual(["erase"]));
    expect([(await leftOf(who, stuck.id)).row, (await leftOf(who, other.id)).row]).toEqual([false, false]);
  });

  it("a shortened retention applies at once, without the cron", async () => {
    const who = await tenant();
    const [old, recent] = [await held(who), await held(who, { started_at: new Date().toISOString() })];
    expect((await who.user.patch("/api/v1/privacy", { conversations_days: 30 })).status).toBe(200);
    await soon(async () => expect(await leftOf(who, old)).toEqual(GONE));
    expect(await leftOf(who, recent)).toEqual(WHOLE);
  });

  it("deletes a backlog by the ledger's own alarm after one notification", async () => {
    const who = await keeping(1);
    await fillLedger(who, 20_000);
    const live = endedRow(LIVE);
    await putRows(who, [live]);
    await cleanUp(2);
    await soon(async () => expect(await inLedger(who, COUNT)).toBe(1));
    expect((await leftOf(who, live.id)).row).toBe(true);
    await soon(async () => expect(await inLedger(who, "SELECT count(*) n FROM record_retention")).toBe(0));
  });

  it("skips a conversation that cannot be deleted, and shows the delay in the metrics", async () => {
    const who = await keeping(1);
    await putRows(
      who,
      Array.from({ length: 6 }, (_, i) => endedRow({ started_at: later(i) })),
    );
    await refuseDeletion(who, `OLD.started_at = '${later(2)}'`);
    await cleanUp(2);
    // `hasten` removes the delay between the attempts.
    await soon(async () => {
      await hasten(who);
      expect(await inLedger(who, COUNT)).toBe(1);
    });
    // Until the next round, no alarm overwrites the changes of the test.
    await soon(async () => expect(await inLedger(who, DUE_AT)).toBeGreaterThan(Date.now() + 60_000));
    await inLedger(who, `UPDATE record_retention SET since = ${Date.now() - 7_200_000}`);
    await losePush(who);
    await rebuild(who);
    await soon(async () => {
      await hasten(who);
      expect(await retentionAge()).toBeGreaterThanOrEqual(7_200);
    });
    await allowDeletion(who);
    await soon(async () => {
      await hasten(who);
      expect(await inLedger(who, COUNT)).toBe(0);
    });
  });

  it("continues after a crash between deleting the files and the rows", async () => {
    const who = await keeping(1);
    const ids = await Promise.all(Array.from({ length: 3 }, (_, i) => held(who, { started_at: later(i) })));
    await refuseDeletion(who);
    await cleanUp(2);
    await soon(async () => expect(await Promise.all(ids.map((id) => leftOf(who, id)))).toEqual(ids.map(() => ROW)));
    await allowDeletion(who);
    await rebuild(who);
    await soon(async () => {
      await hasten(who);
      expect(await Promise.all(ids.map((id) => leftOf(who, id)))).toEqual(ids.map(() => GONE));
    });
  });
});

const ROW = { file: false, row: true };
const COUNT = "SELECT count(*) n FROM conversations";
const DUE_AT = "SELECT due_at n FROM record_retention";

/** Writes many ended conversations to the ledger, bypassing all its rules. */
async function fillLedger(who: Tenant, rows: number): Promise<void> {
  const [first] = await putRows(who, [endedRow()]);
  const [columns = ""] = await namesIn(who);
  await inLedger(
    who,
    `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ${rows - 1})
      INSERT INTO conversations (id, ${columns}) SELECT printf('%s-%d', '${first}', i), ${columns} FROM conversations, n WHERE id = '${first}'`,
  );
}

/** Returns the columns of conversations besides the id. */
async function namesIn(who: Tenant): Promise<string[]> {
  const rows = await onLedger<{ names: string }>(
    who.account,
    "SELECT group_concat(name) names FROM pragma_table_info('conversations') WHERE name <> 'id'",
  );
  return rows.map(({ names }) => names);
}

/** Notifies the ledger again, which then immediately retries work that waits after a failure. */
async function hasten(who: Tenant): Promise<void> {
  const ledger = ledgerOf(who);
  const conversations = Date.parse(BEGAN) + DAY_MS;
  await ledger.volume((await ledger.days())[0] ?? "").keepFrom({ conversations, recordings: null, calls: null });
}

/** Restarts the ledger's object, as after a crash. */
async function rebuild(who: Tenant): Promise<void> {
  const ledger = ledgerOf(who);
  await evict(ledger.volume((await ledger.days())[0] ?? ""));
}

/** Makes the ledger push its gauges again, which it does at most once a minute. */
async function losePush(who: Tenant): Promise<void> {
  const ledger = ledgerOf(who);
  const volume = ledger.volume((await ledger.days())[0] ?? "") as unknown as DurableObjectStub;
  await runInDurableObject(volume, (_, { storage }) => storage.kv.delete("gauges told"));
}

async function retentionAge(): Promise<number> {
  const headers = { authorization: "Bearer scraper" };
  const response = await app.fetch(
    new Request(`${BASE}/metrics`, { headers }),
    Object.assign({}, env, { METRICS_TOKEN: "scraper" }),
  );
  const line = (await response.text())
    .split("\n")
    .find((one) => one.startsWith('switchboard_retention_age_seconds{kind="ledger"}'));
  return Number(line?.split(" ")[1]);
}

/** Makes the ledger fail to delete conversations of the account. */
async function refuseDeletion(who: Pick<Tenant, "account">, which = "true"): Promise<void> {
  await inLedger(
    who,
    `CREATE TRIGGER refused BEFORE DELETE ON conversations WHEN ${which} BEGIN SELECT RAISE(ABORT, 'away'); END`,
  );
}

async function allowDeletion(who: Pick<Tenant, "account">): Promise<void> {
  await inLedger(who, "DROP TRIGGER refused");
}

/** Returns `n` of this statement on the account's ledger. */
async function inLedger(who: Pick<Tenant, "account">, statement: string): Promise<number | null> {
  const ledger = ledgerOf(who);
  const [day = ""] = await ledger.days();
  const volume = ledger.volume(day) as unknown as DurableObjectStub;
  const rows = await runInDurableObject(volume, (_, { storage }) =>
    storage.sql.exec<{ n: number }>(statement).toArray(),
  );
  return rows[0]?.n ?? null;
}

/** Makes the object record that it was told to erase a conversation. */
async function watchErasing(who: Pick<Tenant, "account">, session_key: string): Promise<string[]> {
  const erased: string[] = [];
  await objectDoes(who, session_key, { erase: async () => void erased.push("erase") });
  return erased;
}

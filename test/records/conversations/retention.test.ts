import {
  createExecutionContext,
  createScheduledController,
  runInDurableObject,
  waitOnExecutionContext,
} from "cloudflare:test";
import { env } from "cloudflare:workers";
import { describe, expect, it } from "vitest";
import { Campaign as CampaignObject } from "../../../src/campaign/campaign.ts";
import worker from "../../../src/index.ts";
import { deleteOldConversations } from "../../../src/records/conversations/retention.ts";
import { type Campaign, contactOf, contactsCsv, ready, started, until } from "../../campaign/support.ts";
import { type Tenant, tenant } from "../../support/client.ts";
import { newId } from "../../support/ids.ts";
import {
  BEGAN,
  campaignDoes,
  endedRow,
  held,
  LIVE,
  later,
  ledgerOf,
  leftOf,
  objectDoes,
  PATH,
  putRows,
} from "./support.ts";

const DAY_MS = 86_400_000;
const WHOLE = { file: true, row: true };
const GONE = { file: false, row: false };

/** The job that runs this many days after the conversations of these tests began. */
async function cleanUp(days: number): Promise<void> {
  const context = createExecutionContext();
  const scheduledTime = new Date(Date.parse(BEGAN) + days * DAY_MS);
  await worker.scheduled(createScheduledController({ scheduledTime, cron: "7 * * * *" }), env);
  await waitOnExecutionContext(context);
}

async function keeping(days: number | null): Promise<Tenant> {
  const who = await tenant();
  expect((await who.user.patch("/api/v1/call-settings", { retention_days: days })).status).toBe(200);
  return who;
}

/** A conversation on the call of a campaign's only contact, who may be asked for by `contact`. */
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
  await object.conversation(call_id ?? "", { conversation_id: id, disposition: "booked" });
  const run = { id: newId(), tool_name: "look", at: BEGAN, conversation_id: id, tool_call_id: "t1", ok: true };
  await ledgerOf(who).report([
    { part: "tool_run", row: Object.assign(run, { status: 200, duration_ms: 5, error: null }) },
  ]);
  const contact = () => contactOf(who.server, path);
  const rows = async () => (await who.server.get<string>(`${path}/export`)).body;
  return { id, campaign_id, contact, rows };
}

const FORGOTTEN = { conversation_id: null, disposition: null };

describe("a conversation on a campaign's call", () => {
  it.each([
    ["deleted", (who: Tenant, id: string) => who.user.delete(`${PATH}/${id}`)],
    ["older than its account keeps it", () => cleanUp(2)],
  ])("leaves nothing with its contact once it is %s", async (_, forget) => {
    const who = await keeping(1);
    const { id, contact, rows } = await onCampaign(who);
    expect(await contact()).toMatchObject({ conversation_id: id, disposition: "booked" });
    expect(await rows()).toContain("booked");
    await forget(who, id);
    expect(await leftOf(who, id)).toEqual(GONE);
    expect(await contact()).toMatchObject(Object.assign({ attempts: [FORGOTTEN] }, FORGOTTEN));
    expect(await rows()).not.toContain("booked");
    expect(await runsOf(who, id)).toBe(0);
  });

  it("is kept if its campaign cannot be notified, and forgotten by the next run", async () => {
    const who = await keeping(1);
    const [held, other] = [await onCampaign(who), await onCampaign(await keeping(1))];
    const fails = { forget: () => Promise.reject(new Error("away")) };
    await campaignDoes(who, held.campaign_id, fails);
    await cleanUp(2);
    expect((await leftOf(who, held.id)).row).toBe(true);
    expect(await other.contact()).toMatchObject(FORGOTTEN);
    await campaignDoes(who, held.campaign_id, { forget: CampaignObject.prototype.forget });
    await cleanUp(2);
    expect(await leftOf(who, held.id)).toEqual(GONE);
    expect(await held.contact()).toMatchObject(FORGOTTEN);
  });
});

/** How many runs of tools still name the conversation. */
const runsOf = (who: Tenant, id: string) =>
  inLedger(who, `SELECT count(*) n FROM tool_runs WHERE conversation_id = '${id}'`);

describe("conversations: retention", () => {
  it("deletes conversations older than the account's retention, and none without one", async () => {
    const [week, month, always, never] = [await keeping(7), await keeping(30), await keeping(null), await tenant()];
    const all = [week, month, always, never];
    const ids = await Promise.all(all.map((who) => held(who)));
    const later = await held(week, { started_at: new Date(Date.parse(BEGAN) + DAY_MS).toISOString() });
    const left = () => Promise.all(all.map(async (who, i) => (await leftOf(who, ids[i] ?? "")).row));
    await cleanUp(6.9);
    expect(await left()).toEqual([true, true, true, true]);
    await cleanUp(7.1);
    expect(await left()).toEqual([false, true, true, true]);
    expect([await leftOf(week, ids[0] ?? ""), await leftOf(week, later)]).toEqual([GONE, WHOLE]);
    await cleanUp(31);
    expect(await left()).toEqual([false, false, true, true]);
    await cleanUp(9_999);
    expect([await left(), await leftOf(week, later)]).toEqual([[false, false, true, true], GONE]);
    expect((await week.user.get(`${PATH}/${ids[0]}`)).status).toBe(404);
  });

  it("leaves live ones, and has the object of one that was never archived forget it", async () => {
    const who = await keeping(1);
    const [live, stuck] = [endedRow(LIVE), endedRow({ archived: false })];
    await putRows(who, [live, stuck]);
    const erased = await watchErasing(who, stuck.session_key);
    const old = await watchErasing(who, live.session_key);
    await cleanUp(2);
    expect([(await leftOf(who, live.id)).row, (await leftOf(who, stuck.id)).row]).toEqual([true, false]);
    expect([erased, old]).toEqual([["erase"], []]);
  });

  it("continues with others if an object or an account fails", async () => {
    const [one, other] = [await keeping(1), await keeping(1)];
    const stuck = endedRow({ archived: false });
    await putRows(one, [stuck]);
    await objectDoes(one, stuck.session_key, { erase: () => Promise.reject(new Error("away")) });
    const [beside, theirs] = [await held(one), await held(other)];
    await refuseDeletion(one);
    await cleanUp(2);
    expect((await leftOf(one, beside)).row).toBe(true);
    expect(await leftOf(other, theirs)).toEqual(GONE);
    await allowDeletion(one);
    await cleanUp(2);
    expect([await leftOf(one, beside), (await leftOf(one, stuck.id)).row]).toEqual([GONE, true]);
  });

  it("deletes any number piece by piece, the accounts in turns, and stops at its deadline", async () => {
    const [many, few] = [await keeping(1), await keeping(1)];
    const rows = Array.from({ length: 1_100 }, (_, i) => endedRow({ started_at: later(i) }));
    await putRows(many, rows);
    const id = await held(few);
    const count = () => inLedger(many, "SELECT count(*) n FROM conversations");
    const now = Date.parse(BEGAN) + 2 * DAY_MS;
    await deleteOldConversations(env, now, Date.now() - 1);
    expect([await count(), await leftOf(few, id)]).toEqual([1_100, WHOLE]);
    // The second piece of one account fails: the first is gone by then, and the other account had its turn.
    await refuseDeletion(many, `OLD.started_at >= '${later(500)}'`);
    await deleteOldConversations(env, now, Date.now() + 60_000);
    await allowDeletion(many);
    expect([await count(), await leftOf(few, id)]).toEqual([600, GONE]);
    await deleteOldConversations(env, now, Date.now() + 60_000);
    expect(await count()).toBe(0);
  });
});

/** From now on the ledger fails to delete conversations of the account. */
async function refuseDeletion(who: Pick<Tenant, "account">, which = "true"): Promise<void> {
  await inLedger(
    who,
    `CREATE TRIGGER refused BEFORE DELETE ON conversations WHEN ${which} BEGIN SELECT RAISE(ABORT, 'away'); END`,
  );
}

async function allowDeletion(who: Pick<Tenant, "account">): Promise<void> {
  await inLedger(who, "DROP TRIGGER refused");
}

/** What `n` is in the account's ledger by this statement. */
async function inLedger(who: Pick<Tenant, "account">, statement: string): Promise<number | null> {
  const ledger = ledgerOf(who);
  const [day = ""] = await ledger.days();
  const volume = ledger.volume(day) as unknown as DurableObjectStub;
  const rows = await runInDurableObject(volume, (_, { storage }) =>
    storage.sql.exec<{ n: number }>(statement).toArray(),
  );
  return rows[0]?.n ?? null;
}

/** Has the object record that it was told to forget a conversation. */
async function watchErasing(who: Pick<Tenant, "account">, session_key: string): Promise<string[]> {
  const erased: string[] = [];
  await objectDoes(who, session_key, { erase: async () => void erased.push("erase") });
  return erased;
}

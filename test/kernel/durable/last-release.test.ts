import { evictDurableObject, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, it, vi } from "vitest";
import { METER_MIGRATIONS } from "../../../src/account/meter/migrations.ts";
import { CONTACT_STATUSES } from "../../../src/campaign/decide/state.ts";
import { chain } from "../../../src/campaign/store/log.ts";
import { type Campaign, type Contact, ready } from "../../campaign/support.ts";
import { type Calls, running } from "../../phone/calls/support.ts";
import { eventsOf } from "../../support/broken-objects.ts";
import { type Client, consoleUser, operator } from "../../support/client.ts";
import { haveVolumes } from "../../support/ledger.ts";
import accountGate from "./fixtures/account-gate.sql";
import campaignObject from "./fixtures/campaign.sql";
import recordingInbox from "./fixtures/recording-inbox.sql";
import sandboxCarrier from "./fixtures/sandbox-carrier.sql";

/**
 * Objects as the release before the first recorded migrations left them, in the middle of a campaign: contacts 1 to 6
 * are dialled (the second is to be called again), 7 was answered by a machine and is still to be hung up, 8 and 11
 * talk, 9 has just ended, 10 rings, 12 was being dialled, 13 to 20 wait. D1 has heard of the first six only. A single
 * call rings, and a second campaign waits for its turn. Three recordings were tried in vain and wait in the inbox.
 */
const ACCOUNT = "last-release";
const [, CAMPAIGN = "", AGENT = "", AT = ""] = /campaign (\S+), agent (\S+), at (\d+)/.exec(campaignObject) ?? [];
const PATH = `/api/v1/campaigns/${CAMPAIGN}`;
const WAIT = { timeout: 60_000, interval: 100 };
/** A lease whose call was never written down; it runs out by itself. */
const LOST = 1;

type Storage = DurableObjectStorage;
const within = <R>(object: DurableObjectStub<never> | object, work: (storage: Storage) => R): Promise<R> =>
  runInDurableObject(object as DurableObjectStub, (_, { storage }) => work(storage));

/** Gives an object the storage of the last release in place of its own, and has it rebuilt by today's code. */
async function restore(object: object, sql: string, then: (storage: Storage) => void = () => {}): Promise<void> {
  await within(object, async (storage) => {
    await storage.deleteAll();
    storage.sql.exec(sql);
    then(storage);
  });
  await evictDurableObject(object as DurableObjectStub);
}

let server: Client;
const campaign = () => env.CAMPAIGN.getByName(`${ACCOUNT}/${CAMPAIGN}`);
const gate = () => env.ACCOUNT_GATE.getByName(ACCOUNT);
const meter = () => env.ACCOUNT_METER.getByName(ACCOUNT);
const sandbox = () => env.SANDBOX_CARRIER.getByName(ACCOUNT);
const inbox = () => env.RECORDING_INBOX.getByName(ACCOUNT);
/** The single call. */
const CALL = "01a1fed4-578b-71d4-a690-2952a9431c8a";
/** Ours, of the recordings that wait. */
const WAITING = [...recordingInbox.matchAll(/VALUES \('[^']+', '[^']+', '([^']+)'/g)].map(([, id]) => id);
const record = async () => (await server.get<Campaign>(PATH)).body;
const applied = ({ sql }: Storage) =>
  sql
    .exec<{ id: string }>("SELECT id FROM migrations ORDER BY n")
    .toArray()
    .map(({ id }) => id);

beforeAll(async () => {
  await (await operator()).post("/api/admin/v1/accounts", { name: ACCOUNT, plan: "scale" });
  await haveVolumes({ account: ACCOUNT }, [new Date(Number(AT)).toISOString().slice(0, 10)]);
  server = await consoleUser(ACCOUNT);
  const { agent_id } = await ready({ server });
  const today = (sql: string) => sql.replaceAll(AGENT, agent_id);
  // Leases run out and days pass: the gate is restored as if it had been left just now.
  const later = Date.now() - Number(AT);
  await restore(gate(), accountGate, ({ sql }) => {
    sql.exec("UPDATE call_leases SET admitted_at = admitted_at + ?1, expires_at = expires_at + ?1", later);
    sql.exec("UPDATE call_leases SET look_at = look_at + ? WHERE look_at IS NOT NULL", later);
    sql.exec("UPDATE admissions SET at = at + ?", later);
    sql.exec("UPDATE days SET day = ?", new Date().toISOString().slice(0, 10));
  });
  await restore(inbox(), today(recordingInbox), ({ sql }) => {
    sql.exec("UPDATE entries SET taken_at = taken_at + ?1, due_at = due_at + ?1", later);
    sql.exec("UPDATE done SET forget_at = forget_at + ?", later);
  });
  // The sandbox forgets calls after an hour: they are restored as if they had been placed a minute ago.
  await restore(sandbox(), today(sandboxCarrier), ({ sql }) => {
    sql.exec("UPDATE calls SET placed_at = placed_at + ?", later - 60_000);
    sql.exec("UPDATE reports SET due_at = due_at + ?", later - 60_000);
  });
  expect(await running(server)).toBe(8);
  await restore(campaign(), today(campaignObject));
});

describe("objects of the last release", () => {
  it("finish the campaign that was running, every contact as its call ended", async () => {
    await vi.waitFor(async () => expect((await record()).status).toBe("completed"), WAIT);
    const { contacts } = (await server.get<{ contacts: Contact[] }>(`${PATH}/contacts?limit=100`)).body;
    const fates = contacts.map(({ status, outcome, attempt_count }) => `${status} ${outcome} ${attempt_count}`);
    const answered = "completed answered 1";
    expect(fates).toEqual([
      answered,
      "failed busy 2",
      "failed no_answer 1",
      answered,
      "failed failed 1",
      answered,
      "failed machine 1",
      answered,
      answered,
      answered,
      answered,
      "failed unknown 1",
      ...Array.from({ length: 8 }, () => answered),
    ]);
  });

  it("hang up on a machine, as they were created to", async () => {
    expect((await record()).voicemail).toBe("hang_up");
  });

  it("count right", async () => {
    const { counts, total_contacts } = await record();
    expect([total_contacts, counts]).toEqual([
      20,
      { pending: 0, originated: 0, connected: 0, completed: 15, failed: 5, cancelled: 0 },
    ]);
    for (const status of CONTACT_STATUSES) {
      const { total } = (await server.get<{ total: number }>(`${PATH}/contacts?status=${status}`)).body;
      expect(total, status).toBe(counts[status]);
    }
  });

  it("carry the history on unbroken", async () => {
    type Row = Parameters<typeof chain>[1] & { seq: number; hash: string };
    const log = await within(campaign(), ({ sql }) =>
      sql.exec<Row>("SELECT log.*, phone FROM log LEFT JOIN contacts ON contacts.id = contact ORDER BY seq").toArray(),
    );
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, i) => i + 1));
    let previous = "";
    for (const row of log) {
      expect(row.hash, `entry ${row.seq}`).toBe(chain(previous, row));
      previous = row.hash;
    }
  });

  it("report to the ledger what D1 did not have yet, with the calls' numbers", async () => {
    const list = async () => (await server.get<Calls>(`/api/v1/calls?campaign_id=${CAMPAIGN}&limit=100`)).body.calls;
    // All but the first six, which D1 already had then: six that were open or just over, nine made since.
    await vi.waitFor(async () => expect((await list()).filter(({ ended_at }) => ended_at)).toHaveLength(15), WAIT);
    expect(new Set((await list()).map(({ from_number }) => from_number))).toEqual(new Set(["+12025550100"]));
    const { campaigns } = (await server.get<{ campaigns: Campaign[] }>("/api/v1/campaigns")).body;
    await vi.waitFor(async () => expect(campaigns).toEqual([await record()]), WAIT);
  });

  it("write the pending audit entry, and emit the account's events from now on", async () => {
    type Entry = { id: string; action: string; at: string; request_id: string };
    const owed = async () => (await server.get<{ entries: Entry[] }>("/api/v1/audit-log?action=resume")).body.entries;
    const entry = { id: "01a1fed4-57da-75ee-851b-9c041a9bdae1", at: new Date(1_795_276_691_418).toISOString() };
    await vi.waitFor(async () => expect(await owed()).toMatchObject([entry]), WAIT);
    const types = async () => (await eventsOf(ACCOUNT)).map(({ type }) => type);
    await vi.waitFor(async () => expect(await types()).toContain("campaign.completed"), WAIT);
    const own = (await types()).filter((type) => /^(campaign|contact)\./.test(type));
    // All fifteen but the four that were over by then.
    expect(own.filter((type) => type === "contact.completed")).toHaveLength(11);
    expect(own.filter((type) => type.startsWith("campaign."))).toEqual(["campaign.completed"]);
  });

  it("give every slot back", async () => {
    const left = () =>
      within(meter(), ({ sql }) => {
        // The single call falls silent too: nobody has a record of it here.
        sql.exec("UPDATE call_leases SET look_at = 1 WHERE look_at IS NOT NULL");
        return sql.exec("SELECT call_id FROM call_leases").toArray().length;
      });
    await left();
    await meter().lookUpSoon("nobody");
    await vi.waitFor(async () => expect(await left()).toBe(LOST), WAIT);
    // The second campaign does not exist: it loses its turn.
    await vi.waitFor(async () => {
      await meter().release([]);
      expect(await within(meter(), ({ sql }) => sql.exec("SELECT 1 FROM turns").toArray())).toEqual([]);
    }, WAIT);
  });

  it("fetch and list the recordings that waited", async () => {
    expect(WAITING).toHaveLength(3);
    type Listed = { recordings: { id: string }[] };
    const list = async () => (await server.get<Listed>(`/api/v1/recordings?limit=100`)).body.recordings;
    const ids = async () => (await list()).map(({ id }) => id);
    await vi.waitFor(async () => expect(await ids()).toEqual(expect.arrayContaining(WAITING)), WAIT);
    const audio = (await env.RECORDINGS.list({ prefix: `${ACCOUNT}/` })).objects.map(({ key }) => key);
    expect(audio).toEqual(expect.arrayContaining(WAITING.map((id) => `${ACCOUNT}/${id}`)));
    const left = () => within(inbox(), ({ sql }) => sql.exec("SELECT 1 FROM entries").toArray().length);
    await vi.waitFor(async () => expect(await left()).toBe(0), WAIT);
  });

  it("play the sandbox's calls to their end", async () => {
    const left = () => within(sandbox(), ({ sql }) => sql.exec("SELECT 1 FROM reports").toArray().length);
    await within(sandbox(), async (storage) => {
      storage.sql.exec("UPDATE reports SET due_at = 1");
      await storage.setAlarm(Date.now() + 1);
    });
    await vi.waitFor(async () => expect(await left()).toBe(0), WAIT);
    expect(await sandbox().look(CALL)).toMatchObject({ status: "completed", answered_by: "human" });
  });

  it("have taken every step of their schemas", async () => {
    expect(await within(campaign(), applied)).toEqual([
      "first-tables",
      "attempts-carry-their-line",
      "audit-entries-name-fields",
      "attempts-know-their-conversation",
      "attempts-know-whether-they-are-recorded",
      "attempts-leave-messages",
      "contacts-are-repaired",
      "skipped-rows-of-several-uploads",
      "contacts-have-positions",
      "history-tells-who-was-cancelled-by-hand",
      "operations-of-idempotency-keys",
      "settings-have-a-revision",
      "imports-say-what-was-assumed",
      "attempts-have-a-revision",
      "outbox",
      "audit-entries-go-by-the-outbox",
      "the-account-has-events",
      "people-are-erased",
      "a-start-names-the-contacts-that-were-seen",
      "calls-know-the-version-of-their-agent",
      "conversations-are-analyzed",
      "carrier-failures-have-a-time",
    ]);
    expect(await within(gate(), applied)).toEqual([
      "first-tables",
      "watched-calls-are-asked-about",
      "leases-name-their-campaign",
      "sessions-that-ended",
      "streams-uploads-and-open-campaigns-are-counted",
      "failed-sign-ins",
      "failures-by-strangers-share-a-budget",
      "calls-go-to-the-meter",
      "sessions-that-renew",
      "tries-at-codes-are-counted",
      "sessions-joined-to-those-of-other-accounts",
      "acts-that-wait-for-a-confirmation",
    ]);
    expect(await within(meter(), applied)).toEqual(METER_MIGRATIONS.map(({ id }) => id));
    expect(await within(inbox(), applied)).toEqual(["first-tables"]);
    expect(await within(sandbox(), applied)).toEqual([
      "first-tables",
      "calls-hold-conversations",
      "calls-need-not-be-recorded",
      "machines-take-messages",
      "machines-need-not-be-listened-for",
    ]);
  });
});

describe("an object that holds nothing", () => {
  const nobody = crypto.randomUUID();
  const tables = (object: object) =>
    within(object, ({ sql }) => sql.exec<{ name: string }>("SELECT name FROM sqlite_master").toArray());

  it("is not written to by readers", async () => {
    const empty = env.SANDBOX_CARRIER.getByName(nobody);
    expect(await empty.look(CALL)).toBeNull();
    await empty.hangUp(CALL);
    expect(await tables(empty)).toEqual([]);
    expect(await tables(env.RECORDING_INBOX.getByName(nobody))).toEqual([]);
  });
});

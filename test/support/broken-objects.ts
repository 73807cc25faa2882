import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { accountEvents } from "../../src/kernel/durable/objects.ts";
import { ledgerOf, volumeIn } from "./ledger.ts";

type Storage = DurableObjectStorage;
const within = (object: object, work: (storage: Storage) => void): Promise<void> =>
  runInDurableObject(object as DurableObjectStub, (_, { storage }) => work(storage));

/** An account's object that lacks a table. `repair` restores the table. */
export interface BrokenObject {
  repair(): Promise<void>;
}

async function broken(object: object, table: string): Promise<BrokenObject> {
  await within(object, ({ sql }) => void sql.exec(`ALTER TABLE ${table} RENAME TO away`));
  return { repair: () => within(object, ({ sql }) => void sql.exec(`ALTER TABLE away RENAME TO ${table}`)) };
}

/** Makes the account's ledger fail reports of calls. */
export async function breakLedger(account: string): Promise<BrokenObject> {
  const volume = await volumeOf(account);
  await volume.report([]);
  return broken(volume, "calls");
}

/** Makes the account's events object refuse new events. */
export async function breakEvents(account: string): Promise<BrokenObject> {
  const events = accountEvents(env, account);
  await events.take([]);
  return broken(events, "events");
}

async function volumeOf(account: string) {
  const day = (await ledgerOf({ account }).days()).at(-1);
  if (day === undefined) throw new Error(`there is no account ${account}`);
  return volumeIn({ account }, day);
}

export interface StoredEvent {
  id: string;
  type: string;
  at: string;
  data: Record<string, unknown>;
}

/** Returns the account's events in order. */
export async function eventsOf(account: string): Promise<StoredEvent[]> {
  const object = accountEvents(env, account);
  await object.take([]);
  return runInDurableObject(object as unknown as DurableObjectStub, (_, { storage }) =>
    storage.sql
      .exec<{ id: string; type: string; at: string; data: string }>(
        "SELECT id, type, at, data FROM events ORDER BY sequence",
      )
      .toArray()
      .map(({ data, ...event }) => ({ ...event, data: JSON.parse(data) })),
  );
}

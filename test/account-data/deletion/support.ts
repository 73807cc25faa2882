import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import type { AccountDeletion } from "../../../src/account-data/deletion/account-deletion.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { accountDeletion } from "../../../src/kernel/durable/objects.ts";
import type { ObjectBinding } from "../../../src/kernel/stores/stores.ts";
import { BINDINGS, BUCKET_BINDINGS, objectsOf } from "../../support/account-objects.ts";
import { type Answer, operator } from "../../support/client.ts";
import { adminPath } from "../backup/support.ts";

export interface Deletion {
  account: string;
  status: string;
  requested_at: string;
  begins_at: string;
  begun_at: string | null;
  completed_at: string | null;
  step: string | null;
  held_by: { step: string | null; object: string | null; since: string }[];
  deleted: { objects: number; files: number; rows: number };
}

export const deletionPath = (account: string) => `${adminPath(account)}/deletion`;
/** Matches the tables of SQLite, of the platform, and of D1's migrations. */
const OWN = /^(sqlite_|_cf_|d1_migrations$)/;

/** Requests the deletion as an operator. */
export async function requested(account: string, body: Record<string, unknown> = {}): Promise<Answer<Deletion>> {
  const who = await operator();
  const json = JSON.stringify({ confirm: account, ...body });
  return who.send<Deletion>("DELETE", adminPath(account), json, { "content-type": "application/json" });
}

export async function disable(account: string): Promise<void> {
  expect((await (await operator()).patch(adminPath(account), { disabled: true })).status).toBe(200);
}

export async function scheduled(account: string): Promise<Deletion> {
  await disable(account);
  const { status, body } = await requested(account);
  expect([status, body.status]).toEqual([202, "scheduled"]);
  return body;
}

/**
 * Moves the clock past what the deletion waits for, and runs its alarm; `wakes` as the service does regularly, or as the
 * platform repeats the alarm of a process that died.
 */
export async function hurry(account: string, wakes = true): Promise<void> {
  const past = "2020-01-01T00:00:00.000Z";
  await env.DB.prepare(
    "UPDATE account_deletions SET begins_at = ?1, begun_at = iif(begun_at IS NULL, NULL, ?1), cursor = iif(cursor ->> '$.until' IS NULL, cursor, json_set(cursor, '$.until', 0)) WHERE account = ?2 AND status <> 'complete'",
  )
    .bind(past, account)
    .run();
  const stub = accountDeletion(env, account) as DurableObjectStub<AccountDeletion>;
  await runInDurableObject(stub, async (deletion, { storage }) => {
    if (wakes) await deletion.wake(Date.now());
    await storage.setAlarm(Date.now() + 60_000);
  });
  await runDurableObjectAlarm(stub);
}

/** Moves the beginning of the deletion's blockage an hour into the past. */
export async function heldForAnHour(account: string): Promise<void> {
  const older = "SELECT json_group_array(json_set(value, '$.since', ?1)) FROM json_each(held_by)";
  await env.DB.prepare(`UPDATE account_deletions SET held_by = (${older}) WHERE account = ?2`)
    .bind(new Date(Date.now() - 3_600_000).toISOString(), account)
    .run();
}

/** Runs the deletion until it is complete, without waiting, and returns it. */
export async function completed(account: string): Promise<Deletion> {
  const who = await operator();
  return vi.waitFor(
    async () => {
      await hurry(account);
      const { body } = await who.get<Deletion>(deletionPath(account));
      expect(body.status, JSON.stringify(body)).toBe("complete");
      return body;
    },
    { interval: 20 },
  );
}

const storeOf = (account: string) => accountStore(env, account, { actor: "system:test", request_id: "" });

/** Returns the ids of the account's objects, by class. */
export async function idsOf(account: string): Promise<[ObjectBinding, DurableObjectId][]> {
  const ids: [ObjectBinding, DurableObjectId][] = [];
  for (const binding of BINDINGS)
    for await (const { id } of objectsOf(binding, { env, store: storeOf(account) })) ids.push([binding, id]);
  return ids;
}

/** Lists what an object stores: `<table>: <row>`, and a line for each empty table. */
export async function contentOf([binding, id]: [ObjectBinding, DurableObjectId]): Promise<string[]> {
  const stub = env[binding].get(id as never) as DurableObjectStub;
  return runInDurableObject(stub, (_, { storage }) => {
    const tables = storage.sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").toArray();
    const lines = tables
      .filter(({ name }) => !OWN.test(name))
      .flatMap(({ name }) => {
        const rows = storage.sql.exec(`SELECT * FROM "${name}"`).toArray();
        return rows.length === 0
          ? [`${binding} ${name}`]
          : rows.map((row) => `${binding} ${name}: ${JSON.stringify(row)}`);
      });
    return [...lines, ...[...storage.kv.list()].map((entry) => `${binding} kv: ${JSON.stringify(entry)}`)];
  });
}

async function d1Tables(): Promise<{ name: string; columns: string[] }[]> {
  const all = await env.DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all<{ name: string }>();
  const names = all.results.map(({ name }) => name).filter((name) => !OWN.test(name));
  const infos = await env.DB.batch<{ name: string }>(names.map((name) => env.DB.prepare(`PRAGMA table_info(${name})`)));
  return names.map((name, n) => ({ name, columns: (infos[n]?.results ?? []).map((column) => column.name) }));
}

/** Returns the rows of D1 that belong to the account or name it: `<table>: <row>`. */
export async function rowsOf(account: string): Promise<string[]> {
  const found: string[] = [];
  for (const { name, columns } of await d1Tables()) {
    const naming = columns.map((column) => `instr("${column}", ?1) > 0`).join(" OR ");
    const { results } = await env.DB.prepare(`SELECT * FROM "${name}" WHERE ${naming}`).bind(account).all();
    found.push(...results.map((row) => `${name}: ${JSON.stringify(row)}`));
  }
  return found;
}

export async function filesOf(account: string): Promise<string[]> {
  const found: string[] = [];
  for (const bucket of BUCKET_BINDINGS) {
    const { objects } = await env[bucket].list();
    found.push(
      ...objects.filter(({ key }) => key.includes(account)).map(({ key, etag }) => `${bucket} ${key} ${etag}`),
    );
  }
  return found;
}

/** Lists everything that is stored about an account: its rows in D1, the content of its objects, and its files. */
export async function everythingOf(account: string): Promise<string[]> {
  const objects = await Promise.all((await idsOf(account)).map(contentOf));
  return [...(await rowsOf(account)), ...objects.flat(), ...(await filesOf(account))];
}

/**
 * Lists what is left of a deleted account in D1, in its `known` objects, in other accounts' objects, and in R2, except
 * what must be kept: the record of the deletion, and the operators' log.
 */
export async function leftOf(account: string, known: [ObjectBinding, DurableObjectId][]): Promise<string[]> {
  const isKept = (row: string) =>
    row.startsWith("account_deletions: ") || row.startsWith('audit_log: {"account":"service-admin"');
  const left = (await rowsOf(account)).filter((row) => !isKept(row));
  for (const object of known) left.push(...(await contentOf(object)));
  const others = await env.DB.prepare("SELECT name FROM accounts").all<{ name: string }>();
  for (const { name } of others.results)
    for (const object of await idsOf(name))
      left.push(...(await contentOf(object)).filter((line) => line.includes(account)));
  return [...left, ...(await filesOf(account))];
}

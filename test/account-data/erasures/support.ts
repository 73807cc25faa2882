import { runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { hasTable } from "../../../src/kernel/durable/migrate.ts";
import { conversationObject, erasureObject } from "../../../src/kernel/durable/objects.ts";
import { BINDINGS, BUCKET_BINDINGS, objectsOf as objectsOfClass } from "../../support/account-objects.ts";
import type { Answer, Tenant } from "../../support/client.ts";

export const PATH = "/api/v1/erasures";

export interface Receipt {
  id: string;
  status: string;
  subject: string;
  hint: string | null;
  counts: Record<string, number>;
  kept_by_restore: { what: string; days: number; until: string | null }[];
  created_at: string;
  completed_at: string | null;
}

/** Requests an erasure and returns its id. */
export async function begun(who: Pick<Tenant, "server">, person: Record<string, string>): Promise<string> {
  const answer: Answer<Receipt> = await who.server.post(PATH, person);
  expect([answer.status, answer.code]).toEqual([202, null]);
  return answer.body.id;
}

/** Moves the clock past what the job waits for, and runs its alarm. */
export async function hurry({ account }: Pick<Tenant, "account">, id: string): Promise<void> {
  const stub = erasureObject(env, account, id);
  await runInDurableObject(stub as DurableObjectStub, async (_, { storage }) => {
    if (hasTable(storage, "job")) storage.sql.exec("UPDATE job SET due_at = 0");
    await storage.setAlarm(Date.now() + 60_000);
  });
  await runDurableObjectAlarm(stub as DurableObjectStub);
}

/** Runs the erasure until it is complete, without waiting, and returns the receipt. */
export function completed(who: Pick<Tenant, "server" | "account">, id: string): Promise<Receipt> {
  return vi.waitFor(
    async () => {
      await hurry(who, id);
      const { body } = await who.server.get<Receipt>(`${PATH}/${id}`);
      expect(body.status, JSON.stringify(body)).toBe("complete");
      return body;
    },
    { interval: 20 },
  );
}

/** Erases the person and returns the receipt. */
export async function erased(
  who: Pick<Tenant, "server" | "account">,
  person: Record<string, string>,
): Promise<Receipt> {
  return completed(who, await begun(who, person));
}

/** Returns a number that no other test uses. The sandbox answers it unless its last digits say otherwise. */
export function newNumber(end = "10"): string {
  return `+13035${String(Math.floor(Math.random() * 10_000)).padStart(4, "0")}${end}`;
}

const OWN = /^(sqlite_|_cf_)/;

/**
 * Yields the account's objects, including those of `conversations`, which are only listed while they are in progress.
 */
async function* objectsOf(account: string, conversations: string[]) {
  const store = accountStore(env, account, { actor: "system:test", request_id: "" });
  for (const binding of BINDINGS)
    for await (const stub of objectsOfClass(binding, { env, store })) yield { binding, stub };
  for (const key of conversations)
    yield { binding: "CONVERSATION", stub: conversationObject(env, account, key) as DurableObjectStub };
}

async function allAccounts(): Promise<string[]> {
  const { results } = await env.DB.prepare("SELECT name FROM accounts").all<{ name: string }>();
  return results.map(({ name }) => name);
}

/** Returns where the text occurs in D1, in R2, and in the objects of `accounts` (by default all): `place: row`. */
export async function standsIn(text: string, more: string[] = [], accounts?: string[]): Promise<string[]> {
  const found: string[] = [];
  const look = (place: string, rows: unknown[]) => {
    for (const row of rows)
      if (without(JSON.stringify(row)).includes(without(text))) found.push(`${place}: ${JSON.stringify(row)}`);
  };
  const tables = await env.DB.prepare("SELECT name FROM sqlite_master WHERE type = 'table'").all<{ name: string }>();
  for (const { name } of tables.results.filter((table) => !OWN.test(table.name)))
    look(`D1 ${name}`, (await env.DB.prepare(`SELECT * FROM ${name}`).all()).results);
  for (const account of accounts ?? (await allAccounts()))
    for await (const { binding, stub } of objectsOf(account, more))
      await runInDurableObject(stub, (_, { storage }) => {
        const own = storage.sql.exec<{ name: string }>("SELECT name FROM sqlite_master WHERE type = 'table'").toArray();
        for (const { name } of own.filter((table) => !OWN.test(table.name)))
          look(`${binding} ${name}`, storage.sql.exec(`SELECT * FROM ${name}`).toArray());
        look(`${binding} kv`, [...storage.kv.list()]);
      });
  for (const [name, bucket] of BUCKET_BINDINGS.map((name) => [name, env[name]] as const))
    for (const { key } of (await bucket.list()).objects) look(name, [[key, await (await bucket.get(key))?.text()]]);
  return found;
}

interface Documented {
  paths: Record<string, { get?: { responses: Record<string, { content?: Record<string, unknown> }> } }>;
}

/**
 * Returns everything that contains the text among what the account can read without naming a row: lists, exports, and
 * what can be read about this campaign.
 */
export async function readable({ server }: Pick<Tenant, "server">, campaign: string, text: string): Promise<string[]> {
  const { paths } = (await server.get<Documented>("/openapi.json")).body;
  const ends = ({ content = {} }: { content?: Record<string, unknown> } = {}) =>
    !Object.keys(content).includes("text/event-stream");
  const reads = Object.entries(paths)
    .filter(([, { get }]) => get && ends(get.responses["200"]))
    .map(([path]) => path.replace("/campaigns/{id}", `/campaigns/${campaign}`))
    .filter((path) => path.startsWith("/api/v1/") && !path.includes("{"));
  const found: string[] = [];
  for (const path of reads)
    for (const accept of ["application/json", "text/csv"]) {
      const { body } = await server.get(path, { accept });
      if (without(JSON.stringify(body)).includes(text)) found.push(`${path} as ${accept}`);
    }
  return found;
}

/** Removes from a text the characters that may separate the digits of a number. */
const without = (text: string) => text.replaceAll(/[\s().-]/g, "");

/** Returns the part of a number that every spelling contains. */
export const digitsOf = (number: string) => number.slice(2);

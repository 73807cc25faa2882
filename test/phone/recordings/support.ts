import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { hasTable, migrate } from "../../../src/kernel/durable/migrate.ts";
import { INBOX_MIGRATIONS } from "../../../src/phone/recordings/inbox-ledger.ts";
import type { Client, Tenant } from "../../support/client.ts";
import { countRoundTrips } from "../../support/counting.ts";

type Owner = Pick<Tenant, "account">;

export interface Recording {
  id: string;
  call_id: string;
  agent_id: string;
  campaign_id: string | null;
  content_type: string;
  size_bytes: number;
  duration_ms: number | null;
  created_at: string;
}
export interface Recordings {
  recordings: Recording[];
  total: number;
}

/** Returns a call's recording once the carrier has delivered it. */
export function recordingOf(server: Client, callId: string): Promise<Recording> {
  return vi.waitFor(
    async () => {
      const { recordings } = (await server.get<Recordings>(`/api/v1/recordings?call_id=${callId}`)).body;
      const [recording] = recordings;
      if (!recording) expect.fail("no recording yet");
      return recording;
    },
    { interval: 10 },
  );
}

/** Returns the path that plays a recording. */
export async function playbackPath(server: Client, id: string): Promise<string> {
  const { url } = (await server.get<{ url: string }>(`/api/v1/recordings/${id}/url`)).body;
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Returns the ids of the account's audio in R2. */
export async function stored({ account }: Owner): Promise<string[]> {
  const { objects } = await env.RECORDINGS.list({ prefix: `${account}/` });
  return objects.map(({ key }) => key.slice(account.length + 1));
}

export const inboxOf = ({ account }: Owner) => env.RECORDING_INBOX.getByName(account);

/** Returns the content of the account's inbox. */
export function held(owner: Owner): Promise<{ waiting: { tries: number; due_at: number }[]; done: number }> {
  return runInDurableObject(inboxOf(owner), (_, { storage }) => {
    if (!hasTable(storage, "entries")) return { waiting: [], done: 0 };
    return {
      waiting: storage.sql.exec<{ tries: number; due_at: number }>("SELECT tries, due_at FROM entries").toArray(),
      done: storage.sql.exec("SELECT 1 FROM done").toArray().length,
    };
  });
}

/** Creates the tables of the account's inbox, which otherwise the first recording creates. */
export function withTables(owner: Owner): Promise<void> {
  return runInDurableObject(inboxOf(owner), (_, { storage }) => migrate(storage, INBOX_MIGRATIONS, Date.now()));
}

/** Makes all waiting recordings in the account's inbox due now. */
export function hurry(owner: Owner): Promise<void> {
  return runInDurableObject(inboxOf(owner), async (_, { storage }) => {
    const { rowsWritten } = storage.sql.exec("UPDATE entries SET due_at = 1 WHERE due_at > ?", Date.now());
    if (rowsWritten > 0) await storage.setAlarm(Date.now() + 1);
  });
}

/** Waits until the account's inbox has no more work, making its recordings due meanwhile. */
export function idle(owner: Owner): Promise<void> {
  return vi.waitFor(
    async () => {
      await hurry(owner);
      expect((await held(owner)).waiting).toEqual([]);
    },
    { interval: 10 },
  );
}

/** Waits until the waiting recordings in the account's inbox have failed this often and no alarm is running. */
export function tried(owner: Owner, times: number): Promise<void> {
  return vi.waitFor(
    async () => {
      const { waiting } = await held(owner);
      expect(waiting.map(({ tries }) => tries)).toEqual([times]);
    },
    { interval: 10 },
  );
}

/** Restarts the account's inbox with other bindings. */
export function withBindings(owner: Owner, bindings: Partial<Env>): Promise<void> {
  return runInDurableObject(inboxOf(owner) as unknown as DurableObjectStub, (instance) => {
    Object.assign(instance, { env: { ...env, ...bindings } });
  });
}

/** Places a call at a carrier on the internet, which needs a media runtime there. */
export async function originateAbroad(client: Client, order: object): Promise<{ call_id: string }> {
  const env = { VOICE_RUNTIME_URL: "wss://media.example" };
  const placed = await countRoundTrips("/api/v1/calls/originate", client.headers, { method: "POST", body: order, env });
  expect(placed.status).toBe(200);
  return placed.body as { call_id: string };
}

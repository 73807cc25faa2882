import type { Client } from "../../support/client.ts";

export interface Entry {
  id: string;
  at: string;
  actor: string;
  actor_name: string | null;
  action: string;
  resource: string;
  resource_id: string;
  resource_name: string | null;
  request_id: string;
  changes: Record<string, { from: unknown; to: unknown } | null> | null;
  /** The account of an entry in the operators' log. */
  account?: string | null;
}

export interface Log {
  entries: Entry[];
  total: number;
}

/** Returns entries of the account's log, newest first. `query` selects some of them. */
export async function log(client: Client, query = "limit=100"): Promise<Entry[]> {
  return (await client.get<Log>(`/api/v1/audit-log?${query}`)).body.entries;
}

/** Returns entries of the operators' log, newest first. */
export async function operatorsLog(client: Client, query = "limit=100"): Promise<Entry[]> {
  return (await client.get<Log>(`/api/admin/v1/audit-log?${query}`)).body.entries;
}

/** Returns the newest entry. */
export async function latest(client: Client) {
  const [entry] = await log(client);
  return entry && [entry.action, entry.resource, entry.changes];
}

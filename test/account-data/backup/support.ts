import { exports } from "cloudflare:workers";
import { type Answer, BASE, type Client, operator } from "../../support/client.ts";

export interface Page {
  store: string;
  steps: number;
  tables: { table: string; columns: string[]; rows: (string | number | null)[][] }[];
  files: { name: string; size: number }[];
  last: boolean;
  next: string | null;
}
export interface Taken {
  head: { name: string; disabled_at: string | null };
  key: string;
  pages: Page[];
  files: { bucket: string; name: string; bytes: ArrayBuffer }[];
}

export const adminPath = (account: string) => `/api/admin/v1/accounts/${account}`;
export const freshKey = () => btoa(String.fromCharCode(...crypto.getRandomValues(new Uint8Array(32))));

/** Takes a backup of an account as an operator. `between` runs before each page. */
export async function take(account: string, between: () => Promise<unknown> = async () => {}): Promise<Taken> {
  const who = await operator();
  const begun = await who.post<{ account: Taken["head"] }>(`${adminPath(account)}/backup`);
  if (begun.status !== 200) throw new Error(`no backup: ${begun.status} ${begun.body}`);
  const taken: Taken = { head: begun.body.account, key: freshKey(), pages: [], files: [] };
  for (let after: string | null = null; ; ) {
    await between();
    const answer: Answer<Page> = await who.post<Page>(`${adminPath(account)}/backup/pages`, { key: taken.key, after });
    if (answer.status !== 200) throw new Error(`no page: ${answer.status} ${answer.body}`);
    const body: Page = answer.body;
    taken.pages.push(body);
    for (const { name } of body.files) {
      const path = `${adminPath(account)}/backup/files/${body.store}/${name}`;
      const file = await exports.default.fetch(new Request(BASE + path, { headers: who.headers }));
      taken.files.push({ bucket: body.store, name, bytes: await file.arrayBuffer() });
    }
    if (body.next === null) return taken;
    after = body.next;
  }
}

/** Restores `pages` of a backup as another account, and returns the responses. */
export async function give(
  who: Client,
  { head, key, pages, files }: Taken,
  account: string,
  backup: string,
): Promise<number[]> {
  const path = `${adminPath(account)}/restore`;
  const statuses = [(await who.put(path, { backup, account: head })).status];
  for (const { store, steps, tables, last } of pages) {
    const answer = await who.put(`${path}/pages`, { backup, key, source: head.name, store, steps, tables, last });
    statuses.push(answer.status);
  }
  for (const { bucket, name, bytes } of files) {
    const headers = { "content-type": "application/octet-stream", "content-length": String(bytes.byteLength) };
    statuses.push((await who.send("PUT", `${path}/files/${bucket}/${name}?backup=${backup}`, bytes, headers)).status);
  }
  return statuses;
}

export async function restored(taken: Taken, account: string, backup = crypto.randomUUID()): Promise<number[]> {
  const who = await operator();
  const statuses = await give(who, taken, account, backup);
  const path = `${adminPath(account)}/restore/finish`;
  return [...statuses, (await who.post(path, { backup, account: taken.head })).status];
}

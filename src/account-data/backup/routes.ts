import { OpenAPIHono } from "@hono/zod-openapi";
import type { Context } from "hono";
import { z } from "zod";
import { OPERATOR_ACCOUNT } from "../../kernel/db/schema/index.ts";
import { accountMeter, recordingInbox } from "../../kernel/durable/objects.ts";
import { refuseEncoded } from "../../kernel/http/content-encoding.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { openCursor, sealCursor } from "../../kernel/http/cursor.ts";
import { invalid, notFound, unavailable } from "../../kernel/http/errors.ts";
import { serve } from "../../kernel/http/serve.ts";
import { everyBinding, openStore } from "../../kernel/http/stores.ts";
import { Vault, VaultUnavailable } from "../../kernel/secrets/vault.ts";
import { HOUR_MS } from "../../kernel/time.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { prefixOf } from "../stores.ts";
import * as contract from "./contract.ts";
import { membersOf } from "./members.ts";
import { beginRestore, finishRestore, type RestoreContext, writeFile, writePage } from "./restore.ts";
import { erase, remove } from "./since.ts";
import { bucketOf, readPage } from "./walk.ts";

export const backups = new OpenAPIHono<AppEnv>();

const AUTHOR = { actor: "system:backup", request_id: "" };
/** The retry delay for a secret that cannot be opened until its key is configured, ms. */
const TRY_AGAIN_MS = 60_000;
/** Pages and files that are read within this time of an audit entry belong to the same read, ms. */
const RECORDED_AGAIN_MS = HOUR_MS;
const cursor = z.object({ store: z.string(), at: z.unknown() });

serve(backups, contract.beginBackup, async ({ c, operatorStore, params: { account }, now }) => {
  const head = account === OPERATOR_ACCOUNT ? undefined : await operatorStore.account(account);
  if (!head) throw notFound("account");
  const env = everyBinding(c);
  const store = openStore(c, account, AUTHOR);
  await operatorStore.noteBackup(account, now, 0);
  const [{ usage }, recordings, volumes] = await Promise.all([
    accountMeter(env, account).usage(),
    recordingInbox(env, account).pendingCount(),
    new Ledger({ env, store }).volumes(),
  ]);
  const held = await Promise.all(volumes.map((volume) => volume.heldConversations("", 100)));
  const members = await membersOf(env, head);
  return {
    account: Object.assign(members, head),
    live: { calls: usage.concurrent, conversations: held.flat().length, recordings },
  };
});

serve(backups, contract.readBackupPage, async ({ c, operatorStore, params, body: { key, after }, now }) => {
  const account = tenant(params.account);
  await operatorStore.noteBackup(account, now, RECORDED_AGAIN_MS);
  const env = everyBinding(c);
  const listed = { account, list: "backup" };
  const store = openStore(c, account, AUTHOR);
  const at = after === null ? null : await openCursor(env, listed, after, cursor);
  const page = await opening(() => readPage({ env, store, transport: transportOf(key) }, at));
  const next = page.next && (await sealCursor(env, listed, page.next));
  return Object.assign({}, page, { next });
});

serve(backups, contract.readBackupFile, async ({ c, operatorStore, params, now }) => {
  const { bucket, file } = params;
  const account = tenant(params.account);
  await operatorStore.noteBackup(account, now, RECORDED_AGAIN_MS);
  const found = await bucketOf(everyBinding(c), bucket)?.get(`${prefixOf(account)}${file}`);
  if (!found) throw notFound("file");
  const headers = {
    "content-type": "application/octet-stream",
    "content-length": String(found.size),
    "x-content-type": found.httpMetadata?.contentType ?? "application/octet-stream",
  };
  return new Response(found.body, { headers });
});

serve(backups, contract.beginRestore, async (incoming) => {
  const { backup, account: head, plan } = incoming.body;
  const { account } = incoming.params;
  if (account === OPERATOR_ACCOUNT) throw notFound("account");
  return { finished: await beginRestore(contextOf(incoming), { account, backup }, head, plan) };
});

serve(backups, contract.writeRestorePage, async (incoming) => {
  const { backup, key, ...page } = incoming.body;
  const { account } = incoming.params;
  const restored = Object.assign(page, { transport: transportOf(key) });
  await opening(() => writePage(contextOf(incoming), { account, backup }, restored));
});

serve(backups, contract.writeRestoreFile, async (incoming) => {
  const { c, params, query } = incoming;
  refuseEncoded(c.req.raw);
  const length = Number(c.req.header("content-length") ?? Number.NaN);
  if (!Number.isSafeInteger(length) || length < 0)
    throw invalid("the header content-length must state the size of the file", "length_required");
  const type = c.req.header("x-content-type") ?? "application/octet-stream";
  const file = { bucket: params.bucket, name: params.file, type, body: c.req.raw.body, length };
  await writeFile(contextOf(incoming), { account: params.account, backup: query.backup }, file);
});

serve(backups, contract.removeRestored, async (incoming) => {
  const { backup, conversations, recordings } = incoming.body;
  const context = Object.assign(contextOf(incoming), { author: incoming.c.get("author") });
  await remove(context, { account: incoming.params.account, backup }, { conversations, recordings });
});

serve(backups, contract.eraseRestored, async (incoming) => {
  const { account, erasure } = incoming.params;
  const { backup, phone_number } = incoming.body;
  const context = Object.assign(contextOf(incoming), { author: incoming.c.get("author") });
  return { status: await erase(context, { account, backup }, { id: erasure, phone_number }) };
});

serve(backups, contract.finishRestore, async (incoming) => {
  const { backup, account: head } = incoming.body;
  await finishRestore(contextOf(incoming), { account: incoming.params.account, backup }, head);
});

/** Refuses the operators' own account, which is not backed up. @throws ApiError 404 */
function tenant(account: string): string {
  if (account === OPERATOR_ACCOUNT) throw notFound("account");
  return account;
}

function contextOf({
  c,
  operatorStore,
  now,
}: { c: Context<AppEnv>; now: number } & Pick<RestoreContext, "operatorStore">) {
  return { env: everyBinding(c), operatorStore, now: new Date(now).toISOString() };
}

const transportOf = (key: string): Vault => new Vault(`backup:${key}`);

/** @throws ApiError 503 if a secret cannot be opened */
async function opening<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof VaultUnavailable)) throw error;
    throw unavailable("secret_unreadable", "a secret of the account cannot be opened or sealed", TRY_AGAIN_MS);
  }
}

import { OpenAPIHono } from "@hono/zod-openapi";
import { and, desc, eq, inArray, type SQL, sql } from "drizzle-orm";
import type { AccountStore, Read } from "../../kernel/db/account-store.ts";
import { all } from "../../kernel/db/conditions.ts";
import { calls, recordings as recordingTable } from "../../kernel/db/schema/index.ts";
import { accountGate } from "../../kernel/durable/objects.ts";
import { baseOf } from "../../kernel/http/base-url.ts";
import { contactName } from "../../kernel/http/contact-name.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { serve } from "../../kernel/http/endpoint.ts";
import { ApiError, notFound } from "../../kernel/http/errors.ts";
import { actorOf, holderOf, readerBy } from "../../kernel/http/pass-holder.ts";
import { lookUps, openStore } from "../../kernel/http/stores.ts";
import { audioKey } from "./audio-store.ts";
import { byteRange } from "./byte-range.ts";
import * as contract from "./contract.ts";
import { playbackUrl, playsFor } from "./playback-url.ts";

export const recordings = new OpenAPIHono<AppEnv>();

serve(recordings, contract.listRecordings, async ({ store, query }) => {
  const { call_id, agent_id, limit, offset } = query;
  const where = and(
    call_id === undefined ? undefined : eq(recordingTable.call_id, call_id),
    agent_id === undefined ? undefined : eq(recordingTable.agent_id, agent_id),
  );
  const orderBy = [desc(recordingTable.created_at), desc(recordingTable.id)];
  const listed = sql`(SELECT ${recordingTable.call_id} FROM ${recordingTable}
    WHERE ${and(eq(recordingTable.account, store.account), where)}
    ORDER BY ${sql.join(orderBy, sql`, `)} LIMIT ${limit} OFFSET ${offset})`;
  const [rows, total, sides] = await store.read(
    store.select(recordingTable, { where, orderBy, limit, offset }),
    store.count(recordingTable, where),
    sidesOf(store, listed),
  );
  const byCall = new Map(sides.map((side) => [side.id, side]));
  return { recordings: rows.map((row) => view(row, byCall.get(row.call_id))), total, limit, offset };
});

serve(recordings, contract.getRecording, async ({ store, params: { id } }) => {
  const ofIt = sql`(SELECT ${recordingTable.call_id} FROM ${recordingTable}
    WHERE ${all(eq(recordingTable.account, store.account), eq(recordingTable.id, id))})`;
  const [row, [side]] = await store.read(
    store.first(recordingTable, { where: eq(recordingTable.id, id) }),
    sidesOf(store, ofIt),
  );
  if (!row) throw notFound("recording");
  return view(row, side);
});

type Side = Pick<typeof calls.$inferSelect, "id" | "direction" | "from_number" | "to_number" | "variables">;

/** The read of the contacts of calls; `ids` is a query for the calls. */
function sidesOf(store: AccountStore, ids: SQL): Read<Side[]> {
  const columns = ["id", "direction", "from_number", "to_number", "variables"] as const;
  return store.select(calls, { where: inArray(calls.id, ids), columns: [...columns] });
}

function view(row: typeof recordingTable.$inferSelect, side: Side | undefined) {
  const phone_number = side ? (side.direction === "inbound" ? side.from_number : side.to_number) : null;
  return Object.assign({ phone_number, contact_name: contactName(side?.variables ?? null) }, row);
}

serve(recordings, contract.getRecordingUrl, async ({ env, store, principal, params, now }) => {
  const entry = { action: "create_url", resource: "recording", resource_id: params.id };
  const row = await store.disclose(entry, recordingTable, eq(recordingTable.id, params.id));
  if (!row) throw notFound("recording");
  const { id } = row;
  const { url, expiresAt } = await playbackUrl(
    env,
    baseOf(env),
    { account: store.account, id },
    holderOf(principal),
    now,
  );
  return { url, expires_at: new Date(expiresAt).toISOString() };
});

serve(recordings, contract.deleteRecording, async ({ env, store, params }) => {
  const { id, call_id } = await findRecording(store, params.id);
  // The audio first: if the rest fails, the record remains and can be deleted again.
  await env.RECORDINGS.delete(audioKey(store.account, id));
  const ofCall = all(eq(calls.id, call_id), eq(calls.recording_id, id));
  await store.write(
    { action: "delete", resource: "recording", resource_id: id },
    store.delete(recordingTable, eq(recordingTable.id, id)),
    store.update(calls, { recording_id: null }, ofCall),
  );
});

serve(recordings, contract.playRecording, async ({ c, env, params, query, now }) => {
  const { account, id } = params;
  const { expires, by, signature } = query;
  const holder = await playsFor(env, { account, id, expires, by, signature }, now);
  if (!holder) throw new ApiError(403, "bad_signature", "the address is not signed, or has expired");
  const store = openStore(c, account, { actor: actorOf(holder), request_id: c.get("requestId") });
  const [row, reader] = await Promise.all([lookUps(c).account(account), readerBy(store, holder)]);
  if (!row || row.disabled_at !== null) throw new ApiError(403, "account_closed", "account is disabled");
  if (!reader || !(await accountGate(env, account).mayStay(reader)))
    throw new ApiError(403, "access_revoked", "whoever asked for this address has no access any more");
  return play(env.RECORDINGS, audioKey(account, id), c.req.raw.headers);
});

/** The audio, or the requested part of it. */
async function play(bucket: R2Bucket, key: string, headers: Headers): Promise<Response> {
  const asked = headers.get("range");
  const head = asked === null ? null : await bucket.head(key);
  const current = head === null || [null, head.httpEtag].includes(headers.get("if-range"));
  const range = head && current ? byteRange(asked, head.size) : null;
  if (head && range === "unsatisfiable") {
    throw new ApiError(416, "range_not_satisfiable", "the recording does not have the requested bytes", {
      "content-range": `bytes */${head.size}`,
    });
  }
  const audio = await bucket.get(key, range === null || range === "unsatisfiable" ? {} : { range });
  if (!audio) throw notFound("recording");
  const { offset, length } = range === null || range === "unsatisfiable" ? { offset: 0, length: audio.size } : range;
  return new Response(audio.body, {
    status: range === null ? 200 : 206,
    headers: {
      "content-type": audio.httpMetadata?.contentType ?? "application/octet-stream",
      "content-length": String(length),
      "accept-ranges": "bytes",
      etag: audio.httpEtag,
      "cache-control": "private, max-age=900",
      "x-content-type-options": "nosniff",
      ...(range !== null && { "content-range": `bytes ${offset}-${offset + length - 1}/${audio.size}` }),
    },
  });
}

async function findRecording(store: AccountStore, id: string): Promise<typeof recordingTable.$inferSelect> {
  const [row] = await store.read(store.first(recordingTable, { where: eq(recordingTable.id, id) }));
  if (!row) throw notFound("recording");
  return row;
}

import { OpenAPIHono, z } from "@hono/zod-openapi";
import { accountGate } from "../../kernel/durable/objects.ts";
import { baseOf } from "../../kernel/http/base-url.ts";
import { contactName } from "../../kernel/http/contact-name.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { actorOf, holderOf, readerBy } from "../../kernel/http/credential-holder.ts";
import { openCursor, sealCursor } from "../../kernel/http/cursor.ts";
import { ApiError, notFound } from "../../kernel/http/errors.ts";
import { ownRow, withinOwnAgents } from "../../kernel/http/own-agents.ts";
import { serve } from "../../kernel/http/serve.ts";
import { lookUps, openStore } from "../../kernel/http/stores.ts";
import { whileAllowed } from "../../kernel/streams/while-allowed.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { findRecording, listedRecordings } from "../../records/ledger/recording-lists.ts";
import type { ListedRecording } from "../../records/ledger/recording-queries.ts";
import { audioKey, audioType } from "./audio-store.ts";
import * as contract from "./contract.ts";
import { playbackUrl, playsFor } from "./playback-url.ts";

export const recordings = new OpenAPIHono<AppEnv>();

/** The cursor of a page: the creation time and id of its last recording. */
const cursor = z.tuple([z.string(), z.string()]);

serve(recordings, contract.listRecordings, async ({ env, store, principal, query }) => {
  const { limit, offset, after, ...requested } = query;
  const filter = withinOwnAgents(principal, requested);
  const list = { account: store.account, list: "recordings" };
  const [created_at, id] = after === undefined ? [] : await openCursor(env, list, after, cursor);
  const before = created_at === undefined || id === undefined ? null : { created_at, id };
  const ledger = new Ledger({ env, store });
  const from = { before, skip: offset };
  const { rows, next, total, total_at_least } = await listedRecordings(ledger, filter, from, limit);
  return {
    recordings: rows.map(projectRecording),
    total,
    total_at_least,
    limit,
    offset,
    next: next && (await sealCursor(env, list, [next.created_at, next.id])),
  };
});

serve(recordings, contract.getRecording, async ({ env, store, principal, params: { id } }) =>
  projectRecording(ownRow(principal, await findRecording(new Ledger({ env, store }), id), "recording")),
);

function projectRecording({ sides, ...row }: ListedRecording) {
  const phone_number = sides && (sides.direction === "inbound" ? sides.from_number : sides.to_number);
  return Object.assign({ phone_number, contact_name: contactName(sides?.variables ?? null) }, row);
}

serve(recordings, contract.getRecordingUrl, async ({ env, store, principal, params, now }) => {
  const { id } = params;
  // The audit entry is written before the address is returned.
  const act = store.act({ action: "create_url", resource: "recording", resource_id: id });
  const row = await new Ledger({ env, store }).discloseRecording(id, principal.agentIds, act);
  if (!row) throw notFound("recording");
  const { url, expiresAt } = await playbackUrl(
    env,
    baseOf(env),
    { account: store.account, id },
    holderOf(principal),
    now,
  );
  return { url, expires_at: new Date(expiresAt).toISOString() };
});

serve(recordings, contract.deleteRecording, async ({ env, store, principal, params }) => {
  const ledger = new Ledger({ env, store });
  const row = ownRow(principal, await ledger.recording(params.id), "recording");
  const volume = await ledger.at(params.id);
  if (!volume) throw notFound("recording");
  const { id } = row;
  // The row is deleted last: if anything fails, it remains and can be deleted again.
  await ledger.note(store.act({ action: "delete", resource: "recording", resource_id: id }), id);
  await env.RECORDINGS.delete(audioKey(store.account, id));
  await volume.removeRecordings([id]);
});

serve(recordings, contract.playRecording, async ({ c, env, params, query, now }) => {
  const { account, id } = params;
  const { expires, by, signature } = query;
  const holder = await playsFor(env, { account, id, expires, by, signature }, now);
  if (!holder) throw new ApiError(403, "bad_signature", "the link has expired or is not signed: request a new one");
  const store = openStore(c, account, { actor: actorOf(holder), request_id: c.get("requestId") });
  const [row, reader] = await Promise.all([lookUps(c).account(account), readerBy(store, holder)]);
  if (!row || row.disabled_at !== null) throw new ApiError(403, "account_closed", "the account is disabled");
  if (!reader || !(await accountGate(env, account).mayStay(reader)))
    throw new ApiError(403, "access_revoked", "the caller who requested this address no longer has access");
  const allowed = (audio: ReadableStream<Uint8Array>) => whileAllowed(audio, env, account, reader);
  return play(env.RECORDINGS, audioKey(account, id), { headers: c.req.raw.headers, allowed });
});

interface Playing {
  headers: Headers;
  /** Returns the audio, cut off once its listener loses access. */
  allowed: (audio: ReadableStream<Uint8Array>) => ReadableStream<Uint8Array>;
}

/** Returns the audio, or the requested part of it. */
async function play(bucket: R2Bucket, key: string, { headers, allowed }: Playing): Promise<Response> {
  const requestedRange = headers.get("range");
  const head = requestedRange === null ? null : await bucket.head(key);
  const current = head === null || [null, head.httpEtag].includes(headers.get("if-range"));
  const range = head && current ? byteRange(requestedRange, head.size) : null;
  if (head && range === "unsatisfiable") {
    throw new ApiError(416, "range_not_satisfiable", "the recording does not have the requested bytes", {
      "content-range": `bytes */${head.size}`,
    });
  }
  const audio = await bucket.get(key, range === null || range === "unsatisfiable" ? {} : { range });
  if (!audio) throw notFound("recording");
  const { offset, length } = range === null || range === "unsatisfiable" ? { offset: 0, length: audio.size } : range;
  // A plain TransformStream would lose the length.
  const body = allowed(audio.body).pipeThrough(new FixedLengthStream(length));
  return new Response(body, {
    status: range === null ? 200 : 206,
    headers: {
      "content-type": audioType(audio.httpMetadata?.contentType ?? null) ?? "application/octet-stream",
      "content-length": String(length),
      "accept-ranges": "bytes",
      etag: audio.httpEtag,
      "cache-control": "private, max-age=900",
      "x-content-type-options": "nosniff",
      ...(range !== null && { "content-range": `bytes ${offset}-${offset + length - 1}/${audio.size}` }),
    },
  });
}

/** Parses the range of bytes in a Range header (RFC 9110, 14): null for the whole file, "unsatisfiable" for none. */
export function byteRange(
  header: string | null,
  size: number,
): { offset: number; length: number } | "unsatisfiable" | null {
  const [, first = "", last = ""] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? "") ?? [];
  // For several ranges, other units or an invalid header, a server may send the whole file.
  if (first === "" && last === "") return null;
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { offset: size - length, length };
  }
  const offset = Number(first);
  const end = last === "" ? size - 1 : Number(last);
  if (end < offset && last !== "") return null;
  if (offset >= size) return "unsatisfiable";
  return { offset, length: Math.min(end, size - 1) - offset + 1 };
}

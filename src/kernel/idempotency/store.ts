import { z } from "zod";
import { IDEMPOTENCY_STORES, idempotencyStoreAt } from "../durable/objects.ts";
import type { Erasing } from "../erasure/sweep.ts";
import { fixed, objectStore } from "../stores/stores.ts";
import { IDEMPOTENCY_MIGRATIONS } from "./migrations.ts";

/** The number of responses that a step scans. */
const ANSWERS = 500;
/** The number of ids for which a step searches. */
const IDS = 500;

const cursor = z.object({ after: z.string(), kind: z.enum(["conversation", "call"]), id: z.string() }).nullable();

export const IDEMPOTENCY_STORE = objectStore({
  migrations: IDEMPOTENCY_MIGRATIONS,
  listing: fixed(Array.from({ length: IDEMPOTENCY_STORES }, (_, n) => String(n))),
  at: idempotencyStoreAt,
  sweeps: { answers: { run: maskAnswers } },
  tables: {
    // The key stays, so that a repeated request is not carried out again; only the response is erased.
    reservations: {
      by: ["text"],
      columns: ["answer"],
      erasure: "mask",
      left: "the keys that sent these requests are disabled in a copy",
    },
  },
});

/** Erases the person from stored responses. */
async function maskAnswers(
  answers: ReturnType<typeof idempotencyStoreAt>,
  { number, visitor, traces }: Erasing,
  from: unknown,
) {
  const { after, kind, id } = cursor.parse(from) ?? { after: "", kind: "conversation", id: "" };
  const found = traces(kind, id, IDS);
  const ids = visitor === null ? found : [...found, visitor];
  const { masked, next } = await answers.erasePerson({ number, ids }, after, ANSWERS);
  const counts = { other_records: masked };
  if (next !== null) return { counts, next: { after: next, kind, id } };
  const last = found.length < IDS ? null : found.at(-1);
  if (last) return { counts, next: { after: "", kind, id: last } };
  // If the number is known, it already finds the stored responses about the person's calls.
  const isToFindCalls = kind === "conversation" && number === null;
  return { counts, next: isToFindCalls ? { after: "", kind: "call", id: "" } : null };
}

import { MAX_COUNTED } from "../../kernel/http/paging.ts";
import type { Total } from "./call-lists.ts";
import type { Ledger } from "./ledger.ts";
import {
  type ListedRecording,
  newestFirst,
  type RecordingCursor,
  type RecordingFilter,
  type RecordingSource,
} from "./recording-queries.ts";
import { volumeOfId } from "./volumes.ts";

interface Page {
  rows: ListedRecording[];
  next: RecordingCursor | null;
}

/** Returns a page of recordings over the volumes of a ledger, newest first, with the number that the filter selects. */
export async function listedRecordings(
  ledger: Ledger,
  filter: RecordingFilter,
  { before, skip }: { before: RecordingCursor | null; skip: number },
  limit: number,
): Promise<Page & Total> {
  const volumes = await volumesOf(ledger, filter);
  // A recording is created after its call, so the times of volumes can overlap. Each volume therefore returns every
  // recording that may belong on the page.
  const [own, rest] = volumes.length > 1 ? [0, skip] : [skip, 0];
  const part = { before, skip: own, limit: rest + limit + 1 };
  const found = await Promise.all(volumes.map((volume) => volume.listRecordings(filter, part, MAX_COUNTED + 1)));
  const all = found.flatMap((one) => one.rows as ListedRecording[]).sort(newestFirst);
  const rows = all.slice(rest, rest + limit + 1);
  const last = rows[limit - 1];
  const goesOn = rows.length > limit && last !== undefined;
  const total = found.reduce((sum, one) => sum + one.total, 0);
  return {
    rows: rows.slice(0, limit),
    next: goesOn ? { created_at: last.created_at, id: last.id } : null,
    total: Math.min(total, MAX_COUNTED),
    total_at_least: total > MAX_COUNTED,
  };
}

/** Returns one recording with the parties of its call; null if there is none. */
export async function findRecording(ledger: Ledger, id: string): Promise<ListedRecording | null> {
  const volume = await ledger.at(id);
  if (volume === null) return null;
  const [row] = (await volume.findRecordings({ id }, { before: null, skip: 0, limit: 1 })) as ListedRecording[];
  return row ?? null;
}

/**
 * Looks up recordings in the ledger. Returns those that the ledger lists for their calls (`listed`), the ids of those
 * that were removed, alone or with their calls (`removed`), and the ids of those whose call belongs to a volume
 * (`placed`).
 */
export async function recordingsOnRecord(ledger: Ledger, sources: Pick<RecordingSource, "id" | "call_id">[]) {
  const listed: RecordingSource[] = [];
  const removed = new Set<string>();
  const placed = new Set<string>();
  const days = await ledger.days();
  for (const [day, theirs] of Map.groupBy(sources, ({ call_id }) => volumeOfId(days, call_id, Date.now()))) {
    if (day === null) continue;
    for (const { id } of theirs) placed.add(id);
    const calls = [...new Set(theirs.map(({ call_id }) => call_id))];
    const found = await ledger.volume(day).recordingSources(
      calls,
      theirs.map(({ id }) => id),
    );
    listed.push(...found.listed);
    for (const id of found.removed) removed.add(id);
  }
  return { listed, removed, placed };
}

async function volumesOf(ledger: Ledger, { call_id }: RecordingFilter) {
  if (call_id === undefined) return await ledger.volumes();
  const volume = await ledger.at(call_id);
  return volume === null ? [] : [volume];
}

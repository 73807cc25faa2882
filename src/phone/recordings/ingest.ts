import { inArray, type SQL, sql } from "drizzle-orm";
import pMap from "p-map";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { telephonyProviders } from "../../kernel/db/schema/index.ts";
import { accountStore } from "../../kernel/durable/account-stores.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { recordingsOnRecord } from "../../records/ledger/recording-lists.ts";
import type { LedgerReport, RecordingRow } from "../../records/ledger/report.ts";
import { credentialsOf } from "../calls/credentials-of.ts";
import { type Carrier, RecordingRefused } from "../carriers/carrier.ts";
import { cleanText } from "../carriers/http.ts";
import { connectCarrier } from "../telephony/line.ts";
import { audioKey } from "./audio-store.ts";
import { type Audio, fetchAudio } from "./fetch-audio.ts";
import { type Entry, MAX_RECORDINGS_PER_CALL, TOO_MANY_RECORDINGS } from "./inbox-ledger.ts";
import type { Outcome } from "./retry-policy.ts";

/** Recordings fetched at a time: the platform's limit of concurrent requests. */
const FETCH_CONCURRENCY = 6;
/** Fetches begin within this time, ms; the rest waits for the next round, so that fetched ones get listed. */
const BEGIN_WITHIN_MS = 5_000;

/** The finding about a recording, with the reason of a failure. */
export interface Finding {
  entry: Entry;
  outcome: Outcome;
  trouble?: string;
}
interface Fetched {
  entry: Entry;
  audio: Audio;
}
type RecordingsOnRecord = Awaited<ReturnType<typeof recordingsOnRecord>>;

/**
 * One round: fetches the recordings of an account that are not here yet into R2, and puts all that came on record in
 * one go. Whatever happens it says so by what it gives; entries it did not come to are not among that.
 */
export async function ingest(env: Env, account: string, due: Entry[]): Promise<Finding[]> {
  const store = accountStore(env, account, { actor: "system:recordings", request_id: "" });
  const ledger = new Ledger({ env, store });
  try {
    const [onRecord, [sealed]] = await Promise.all([
      recordingsOnRecord(ledger, due),
      store.read(
        store.select(telephonyProviders, {
          where: inArray(telephonyProviders.id, among(due.map(({ credentials_id }) => credentials_id))),
        }),
      ),
    ]);
    const carrierOf = carriers(env, store, sealed);
    const [erased, others] = split(due, ({ call_id }) => onRecord.removed.has(call_id));
    const settled = others.flatMap((entry) =>
      onRecord.placed.has(entry.id) ? findingOnRecord(entry, onRecord) : [refused(entry, NO_CALL)],
    );
    const missing = others.filter((entry) => !settled.some((finding) => finding.entry === entry));
    const { wanted, beyond } = withinCalls(missing, onRecord.listed);
    const { fetched, failed } = await fetchAll(env, account, wanted, carrierOf);
    const deletions = await deleteAll(erased, carrierOf);
    return [...deletions, ...settled, ...beyond, ...failed, ...(await putOnRecord(ledger, fetched))];
  } catch (error) {
    return due.map((entry) => ({ entry, outcome: "unlisted", trouble: inWords(error) }));
  }
}

/** Leaves out recordings beyond the limit per call, counting those on record. */
function withinCalls(entries: Entry[], listed: RecordingsOnRecord["listed"]): { wanted: Entry[]; beyond: Finding[] } {
  const counts = new Map<string, number>();
  const count = (call_id: string) => {
    const n = (counts.get(call_id) ?? 0) + 1;
    counts.set(call_id, n);
    return n;
  };
  for (const { call_id } of listed) count(call_id);
  const wanted = entries.filter(({ call_id }) => count(call_id) <= MAX_RECORDINGS_PER_CALL);
  const beyond = entries.filter((entry) => !wanted.includes(entry));
  return { wanted, beyond: beyond.map((entry) => refused(entry, TOO_MANY_RECORDINGS)) };
}

async function fetchAll(
  env: Env,
  account: string,
  entries: Entry[],
  carrierOf: (entry: Entry) => Promise<Carrier | null>,
): Promise<{ fetched: Fetched[]; failed: Finding[] }> {
  const fetched: Fetched[] = [];
  const failed: Finding[] = [];
  const until = Date.now() + BEGIN_WITHIN_MS;
  const fetchOne = async (entry: Entry) => {
    if (Date.now() >= until) return;
    try {
      const carrier = await carrierOf(entry);
      if (carrier) {
        const audio = await fetchAudio(env.RECORDINGS, carrier, entry.recording, audioKey(account, entry.id));
        fetched.push({ entry, audio });
      } else {
        failed.push({ entry, outcome: "no_carrier", trouble: "the carrier credentials were deleted" });
      }
    } catch (error) {
      const outcome = error instanceof RecordingRefused ? "refused" : "unfetched";
      failed.push({ entry, outcome, trouble: inWords(error) });
    }
  };
  await pMap(entries, fetchOne, { concurrency: FETCH_CONCURRENCY });
  return { fetched, failed };
}

/** Deletes recordings at their carriers whose calls were erased before they were ready. */
async function deleteAll(entries: Entry[], carrierOf: (entry: Entry) => Promise<Carrier | null>): Promise<Finding[]> {
  const deleteOne = async (entry: Entry): Promise<Finding> => {
    try {
      const carrier = await carrierOf(entry);
      await carrier?.deleteRecording(entry.recording.id);
      return { entry, outcome: "removed" };
    } catch (error) {
      return { entry, outcome: "unfetched", trouble: inWords(error) };
    }
  };
  return pMap(entries, deleteOne, { concurrency: FETCH_CONCURRENCY });
}

/** Connects each carrier once; null if its credentials are gone. */
function carriers(env: Env, store: AccountStore, sealed: (typeof telephonyProviders.$inferSelect)[]) {
  const connected = new Map<string, Promise<Carrier>>();
  return async ({ provider, credentials_id, call_id, campaign_id }: Entry): Promise<Carrier | null> => {
    const credentials =
      provider === "sandbox"
        ? undefined
        : (sealed.find(({ id }) => id === credentials_id) ??
          // The campaign's number may have other credentials by now.
          (await credentialsOf({ env, store }, { provider, call_id, campaign: campaign_id, credentials: null })));
    if (provider !== "sandbox" && !credentials) return null;
    const key = credentials?.id ?? provider;
    const carrier = connected.get(key) ?? connectCarrier(env, store.account, provider, credentials);
    connected.set(key, carrier);
    return carrier;
  };
}

/** Reports the fetched recordings to the ledger, and finds out which of them it took. */
async function putOnRecord(ledger: Ledger, fetched: Fetched[]): Promise<Finding[]> {
  if (fetched.length === 0) return [];
  const entries = fetched.map(({ entry }) => entry);
  try {
    await ledger.report(fetched.map((one): LedgerReport => ({ part: "recording", row: rowOf(one) })));
    const onRecord = await recordingsOnRecord(ledger, entries);
    return entries.map((entry) => {
      const [finding = refused(entry, NOT_TAKEN)] = findingOnRecord(entry, onRecord);
      return finding;
    });
  } catch (error) {
    return entries.map((entry) => ({ entry, outcome: "unlisted", trouble: inWords(error) }));
  }
}

function rowOf({ entry, audio }: Fetched): RecordingRow {
  const { id, source_id, call_id, agent_id, campaign_id, recording, taken_at } = entry;
  return {
    id,
    call_id,
    agent_id,
    campaign_id,
    provider_recording_id: source_id,
    content_type: audio.contentType,
    size_bytes: audio.size,
    duration_ms: recording.duration_ms,
    created_at: new Date(taken_at).toISOString(),
  };
}

/** Why the ledger has no place for a recording, and what it does not take, however often it is reported. */
const NO_CALL = "no call of the account has this id";
const NOT_TAKEN = "the ledger does not take it";

const refused = (entry: Entry, trouble: string): Finding => ({ entry, outcome: "refused", trouble });

function findingOnRecord(entry: Entry, { listed, removed }: RecordingsOnRecord): Finding[] {
  if (removed.has(entry.id) || removed.has(entry.call_id)) return [{ entry, outcome: "removed" }];
  const row = listed.find(
    ({ call_id, provider_recording_id }) => call_id === entry.call_id && provider_recording_id === entry.source_id,
  );
  return row ? [{ entry, outcome: row.id === entry.id ? "listed" : "listed_before" }] : [];
}

/** Those for which it is so, and the others. */
function split<T>(all: T[], isSo: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isSo), all.filter((one) => !isSo(one))];
}

function among(values: (string | null)[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify([...new Set(values)])}))`;
}

/** An error in a form safe for the log; refusals of recordings have words of our own. */
function inWords(error: unknown): string {
  if (error instanceof RecordingRefused) return error.message;
  return cleanText(error instanceof Error ? error.message : String(error));
}

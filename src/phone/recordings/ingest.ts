import { inArray, type SQL, sql } from "drizzle-orm";
import pMap from "p-map";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { telephonyProviders } from "../../kernel/db/schema/index.ts";
import { accountStore } from "../../kernel/durable/account-stores.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import { recordingsOnRecord } from "../../records/ledger/recording-lists.ts";
import type { LedgerReport, RecordingRow } from "../../records/ledger/report.ts";
import { ownNumber } from "../calls/call-ref.ts";
import { type Carrier, RecordingRefused } from "../carriers/carrier.ts";
import { cleanText } from "../carriers/http.ts";
import { connectCarrier, lineReads } from "../telephony/line.ts";
import { audioKey } from "./audio-store.ts";
import type { Download, Ended } from "./downloads.ts";
import { type Audio, fetchAudio } from "./fetch-audio.ts";
import { type Entry, MAX_RECORDINGS_PER_CALL, TOO_MANY_RECORDINGS } from "./inbox-ledger.ts";
import type { Outcome } from "./retry-policy.ts";

/** Number of recordings deleted at carriers at a time. */
const DELETE_CONCURRENCY = 6;
const AUTHOR = { actor: "system:recordings", request_id: "" };

/** The result for one recording, with the reason of a failure. */
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

/** The recordings to download, how to download them, and the results already known for other recordings. */
export interface Prepared {
  wanted: Entry[];
  download: Download;
  findings: Finding[];
}

/** Looks up which of these recordings to download. Recordings that need no download get a finding. */
export async function prepare(env: Env, account: string, due: Entry[]): Promise<Prepared> {
  const store = accountStore(env, account, AUTHOR);
  try {
    const [onRecord, [sealed]] = await Promise.all([
      recordingsOnRecord(new Ledger({ env, store }), due),
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
    const deletions = await deleteAll(erased, carrierOf);
    const download: Download = async (entry, signal) => {
      const carrier = await carrierOf(entry);
      if (!carrier) throw new NoCarrier();
      return fetchAudio(env.RECORDINGS, carrier, entry.recording, audioKey(account, entry.id), signal);
    };
    return { wanted, download, findings: [...deletions, ...settled, ...beyond] };
  } catch (error) {
    const trouble = inWords(error);
    const findings = due.map((entry): Finding => ({ entry, outcome: "unlisted", trouble }));
    return { wanted: [], download: () => Promise.reject(error), findings };
  }
}

/** Records all downloaded recordings in one request, and returns the finding about each. */
export async function settleDownloads(env: Env, account: string, ended: Ended[]): Promise<Finding[]> {
  const ledger = new Ledger({ env, store: accountStore(env, account, AUTHOR) });
  const fetched = ended.flatMap((one) => ("audio" in one ? [one] : []));
  const failed = ended.flatMap((one) => ("error" in one ? [failure(one)] : []));
  return [...failed, ...(await putOnRecord(ledger, fetched))];
}

function failure({ entry, error }: { entry: Entry; error: unknown }): Finding {
  if (error instanceof NoCarrier) return { entry, outcome: "no_carrier", trouble: error.message };
  return { entry, outcome: error instanceof RecordingRefused ? "refused" : "unfetched", trouble: inWords(error) };
}

class NoCarrier extends Error {
  override readonly name = "NoCarrier";

  constructor() {
    super("the carrier credentials were deleted");
  }
}

/** Separates recordings beyond the maximum per call, counting those already recorded. */
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

/** Deletes recordings at their carriers if their calls were erased before the recordings were ready. */
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
  return pMap(entries, deleteOne, { concurrency: DELETE_CONCURRENCY });
}

/** Connects each carrier once; null if its credentials are gone. */
function carriers(env: Env, store: AccountStore, sealed: (typeof telephonyProviders.$inferSelect)[]) {
  const connected = new Map<string, Promise<Carrier>>();
  return async (entry: Entry): Promise<Carrier | null> => {
    const { provider, credentials_id } = entry;
    const own = sealed.find(({ id }) => id === credentials_id);
    const credentials = provider === "sandbox" ? undefined : (own ?? (await credentialsNow({ env, store }, entry)));
    if (provider !== "sandbox" && !credentials) return null;
    const key = credentials?.id ?? provider;
    const carrier = connected.get(key) ?? connectCarrier(env, store.account, provider, credentials);
    connected.set(key, carrier);
    return carrier;
  };
}

/** Returns the current credentials of the call's number; undefined if it has none at the call's carrier. */
async function credentialsNow({ env, store }: { env: Env; store: AccountStore }, { call_id, provider }: Entry) {
  const call = await new Ledger({ env, store }).call(call_id);
  const [, credentials] = call ? await store.read(...lineReads(store, ownNumber(call))) : [];
  return credentials?.provider === provider ? credentials : undefined;
}

/** Reports the fetched recordings to the ledger, and returns which of them it accepted. */
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

/** Why the ledger never accepts a recording, however often it is reported. */
const NO_CALL = "no call of the account has this id";
const NOT_TAKEN = "the ledger did not accept it";

const refused = (entry: Entry, trouble: string): Finding => ({ entry, outcome: "refused", trouble });

function findingOnRecord(entry: Entry, { listed, removed }: RecordingsOnRecord): Finding[] {
  if (removed.has(entry.id) || removed.has(entry.call_id)) return [{ entry, outcome: "removed" }];
  const row = listed.find(
    ({ call_id, provider_recording_id }) => call_id === entry.call_id && provider_recording_id === entry.source_id,
  );
  return row ? [{ entry, outcome: row.id === entry.id ? "listed" : "listed_before" }] : [];
}

function split<T>(all: T[], isSo: (one: T) => boolean): [T[], T[]] {
  return [all.filter(isSo), all.filter((one) => !isSo(one))];
}

function among(values: (string | null)[]): SQL {
  return sql`(SELECT value FROM json_each(${JSON.stringify([...new Set(values)])}))`;
}

/** Returns an error in a form that is safe for the log; only refusals of recordings have texts of our own. */
function inWords(error: unknown): string {
  if (error instanceof RecordingRefused) return error.message;
  return cleanText(error instanceof Error ? error.message : String(error));
}

import { z } from "zod";
import { conversationObject, recordingInbox } from "../../../kernel/durable/objects.ts";
import type { Provider } from "../../../phone/carriers/carrier.ts";
import { audioKey } from "../../../phone/recordings/audio-store.ts";
import { eraseConversations } from "../../../records/conversations/erase.ts";
import type { CallRow } from "../../../records/ledger/report.ts";
import { type ErasureContext, type StepResult, step } from "../step.ts";

/** The number of conversations, and of calls, erased at a time. */
const BATCH_ROWS = 50;
/** R2's limit of keys per delete call. */
const KEYS_AT_ONCE = 1_000;

const batch = z.object({
  conversations: z.array(
    z.object({
      id: z.string(),
      session_key: z.string(),
      campaign_id: z.string().nullable(),
      call_id: z.string().nullable(),
    }),
  ),
  calls: z.array(z.string()),
  /** Answered calls for which no conversation is on record. */
  untold: z.array(z.string()),
  recordings: z.array(z.string()),
});
type Batch = z.output<typeof batch>;

/** The current volume, and the batch that was found there. */
const cursor = z.object({ day: z.string(), batch: batch.nullable() });

/**
 * Erases the records that the ledger lists: conversations with their transcripts, recordings, tool runs, and the
 * numbers and variables of calls. A batch is stored before any of it is erased, because it cannot be found afterwards.
 */
export const eraseRecords = step(cursor, async (work, at) => {
  const days = await work.ledger.days();
  const day = at?.day ?? days[0];
  if (day === undefined) return { next: null };
  if (at?.batch) return erase(work, day, at.batch);
  const { toErase, isLive, ...found } = await find(work, day);
  if (toErase.conversations.length + toErase.calls.length > 0)
    return Object.assign(found, { next: { day, batch: toErase } });
  const following = days.find((other) => other > day);
  return { next: following === undefined ? null : { day: following, batch: null }, unsettled: isLive };
});

async function find({ env, store, ledger, subject }: ErasureContext, day: string) {
  const volume = ledger.volume(day);
  const person = await volume.findPerson(subject, BATCH_ROWS);
  const rows = (await volume.calls(person.calls)) as CallRow[];
  // Calls that began in the meantime are hung up in the next round.
  const live = new Set(rows.filter(({ ended_at }) => ended_at === null).map(({ id }) => id));
  const calls = person.calls.filter((id) => !live.has(id));
  const conversations = person.conversations.filter(({ call_id }) => call_id === null || !live.has(call_id));
  // From here on, no recordings of the person are added.
  await volume.closeCalls(calls);
  const { listed } = await volume.recordingSources(calls, []);
  const waiting = await recordingInbox(env, store.account).waiting(calls);
  const recordings = [...new Set([...listed, ...waiting].map(({ id }) => id))];
  const toErase: Batch = {
    conversations,
    calls,
    untold: rows
      .filter(({ id, connected_at, conversation_id }) => !live.has(id) && connected_at && conversation_id === null)
      .map(({ id }) => id),
    recordings,
  };
  const atCarriers = listed.flatMap(({ call_id, provider_recording_id: source_id }) => {
    const call = rows.find(({ id }) => id === call_id);
    return call
      ? [{ call_id, source_id, provider: call.provider as Provider, credentials_id: call.credentials_id }]
      : [];
  });
  return {
    toErase,
    isLive: live.size > 0,
    traces: [
      ...calls.map((id) => ({ kind: "call" as const, id })),
      ...conversations.map(({ id }) => ({ kind: "conversation" as const, id })),
      ...recordings.map((id) => ({ kind: "recording" as const, id })),
    ],
    found: [...atCarriers, ...waiting],
    counts: { carrier_recordings_kept: listed.filter(({ call_id }) => !rows.some(({ id }) => id === call_id)).length },
  };
}

async function erase(work: ErasureContext, day: string, found: Batch): Promise<StepResult> {
  const { env, store, ledger, number } = work;
  const { account } = store;
  const volume = ledger.volume(day);
  const { conversations, calls, untold, recordings } = found;
  // The ledger's rows go first, so that recordings still in transit are not listed afterwards.
  await volume.removeRecordings(recordings);
  await recordingInbox(env, account).dropCalls(calls);
  for (let n = 0; n < recordings.length; n += KEYS_AT_ONCE)
    await env.RECORDINGS.delete(recordings.slice(n, n + KEYS_AT_ONCE).map((id) => audioKey(account, id)));
  const tool_runs = await volume.deleteConversationRuns(conversations.map(({ id }) => id));
  // The calls are masked before their conversations are erased, because conversations may lead to them.
  await volume.maskCalls(calls, number);
  for (const id of untold) await conversationObject(env, account, id).erase(null);
  const [failure] = await eraseConversations({ env, store }, { rows: conversations, isHeld: () => true, entry: null });
  if (failure) throw failure.error;
  return { counts: { tool_runs }, next: { day, batch: null } };
}

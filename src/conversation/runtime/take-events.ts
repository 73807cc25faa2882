import type { OwnRuntime } from "../../kernel/http/context.ts";
import { ApiError, conflict } from "../../kernel/http/errors.ts";
import type { ConversationEvent } from "../../records/conversations/events.ts";
import { endOf } from "../../records/conversations/record.ts";
import type { Ending } from "./ending.ts";
import type { Handover } from "./handover.ts";
import { optOutNumber } from "./opt-out.ts";
import type { ConversationLease } from "./session/live-lease.ts";
import { type SessionDoor, sessionEnded } from "./session/session-door.ts";
import type { ConversationStore } from "./store/conversation-store.ts";
import type { Watchers } from "./streams/watchers.ts";
import type { Reports } from "./upkeep/reports.ts";
import type { Upkeep } from "./upkeep/upkeep.ts";

interface Context {
  store: ConversationStore;
  door: SessionDoor;
  handover: Handover;
  watchers: Watchers;
  lease: Pick<ConversationLease, "renew" | "leave">;
  ending: Ending;
  reports: Pick<Reports, "optOut">;
  upkeep: Pick<Upkeep, "arm">;
}

/** Stores what a runtime reports. Returns the last number before the first gap. @throws ApiError 403, 409, 413 */
export async function takeEvents(
  { store, door, handover, watchers, lease, ending, reports, upkeep }: Context,
  { runtime, events }: { runtime: OwnRuntime; events: ConversationEvent[] },
): Promise<number> {
  await door.openForRuntime(runtime);
  if (store.isFull) throw new ApiError(413, "conversation_too_long", "the conversation is longer than the maximum");
  if (store.existing.held_by === "edge")
    throw conflict("held_by_platform", "Switchboard's own runtime holds this conversation and records its events");
  const now = Date.now();
  store.update({ held_by: "own", last_activity_at: now });
  const fresh = store.take(events);
  // Late events are archived too.
  if (fresh.length > 0) store.update({ archived: 0 });
  noteUse(store, fresh);
  if (fresh.some(({ type }) => type === "opt_out")) optOutNumber({ store, reports });
  const ended = fresh.some(({ type }) => type === "ended") ? endOf(store.events) : null;
  if (ended) {
    const end_reason = (await handover.whyEnded(ended.reason)) ?? ended.reason;
    if (store.row === null) throw sessionEnded();
    store.update({ ended_at: store.row.ended_at ?? now, end_reason });
  }
  store.flush();
  if (ended) watchers.end();
  // Usage may be reported after the end, and is charged too.
  if (store.existing.ended_at === null) lease.renew();
  else lease.leave();
  if (store.isFull) await ending.end("max_length");
  await upkeep.arm();
  return store.through;
}

/** Counts the usage of the runtime's own model like that of the service's. */
function noteUse(store: ConversationStore, events: ConversationEvent[]): void {
  for (const event of events) {
    if (event.type !== "usage") continue;
    const { input_tokens, output_tokens, requests } = store.existing;
    store.update({
      input_tokens: input_tokens + (event.input_tokens ?? 0),
      output_tokens: output_tokens + (event.output_tokens ?? 0),
      requests: requests + 1,
    });
  }
}

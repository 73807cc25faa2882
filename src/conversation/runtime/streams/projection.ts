import { wholeSeconds } from "../../../kernel/time.ts";
import type { ArchivedDetail } from "../../../records/conversations/archive.ts";
import type { ConversationEvent } from "../../../records/conversations/events.ts";
import {
  type ConversationDetail,
  type ConversationRecord,
  isComplete,
  speechChars,
  tally,
  turnsOf,
} from "../../../records/conversations/record.ts";
import { timingOf } from "../../../records/conversations/timing.ts";
import { redactConversation } from "../../../records/privacy/redaction/redact-conversation.ts";
import { redactVariables, redactWord } from "../../../records/privacy/redaction/redact-record.ts";
import { disclosedIn } from "../disclosed.ts";
import { policyOf } from "../session/session.ts";
import type { ConversationStore } from "../store/conversation-store.ts";
import { hasOptedOut } from "../store/opted-out.ts";
import type { ShownLog } from "./shown-log.ts";

/** Returns the conversation's record with its results. */
export function detailOf(store: ConversationStore): ArchivedDetail {
  const shown = redactConversation(store.events, policyOf(store.session.snapshot));
  return Object.assign(detailWith(store, shown), {
    timing: timingOf(store.events),
    timezone: store.session.timezone,
  });
}

/** Returns what may be shown of the conversation now, with its turns. */
export function shownDetail(store: ConversationStore, shown: ShownLog): ConversationDetail {
  return detailWith(store, shown.events);
}

function detailWith(store: ConversationStore, shown: ConversationEvent[]) {
  const { storage } = policyOf(store.session.snapshot);
  return Object.assign(recordOf(store), {
    storage,
    opted_out: hasOptedOut(store),
    documents_late: store.session.documents_late,
    turns: turnsOf(shown),
  });
}

/** Returns the conversation as lists show it. Its counts cover all events. */
export function recordOf({ existing, identity, session, events, runs }: ConversationStore): ConversationRecord {
  const { id, started_at, ended_at, end_reason, transferred_to, held_by } = existing;
  const { snapshot, phone_number, direction } = session;
  const policy = policyOf(snapshot);
  const call = identity.kind === "call" ? snapshot.call : null;
  const visitor = identity.kind === "call" ? null : identity.visitor;
  const counted = tally(events);
  const usage = {
    speech_chars: call === null ? existing.speech_chars : speechChars(events, held_by),
    // The ledger replaces this by the call's own duration once it has ended.
    carrier_s: call === null || ended_at === null ? 0 : wholeSeconds(ended_at - started_at),
    tool_runs: runs.all.filter((run) => run.started_at !== null).length,
  };
  const time = (ms: number) => new Date(ms).toISOString();
  return {
    ...counted,
    usage: Object.assign(usage, counted.usage),
    id,
    kind: identity.kind,
    status: ended_at === null ? "live" : "ended",
    direction,
    agent_id: snapshot.agent.id,
    agent_version: snapshot.agent.version,
    prompt_id: snapshot.agent.prompt_id,
    call_id: call?.id ?? null,
    campaign_id: call?.campaign_id ?? null,
    contact_id: call?.contact_id ?? null,
    visitor_id: visitor?.id ?? null,
    visitor_type: visitor?.type ?? null,
    phone_number,
    variables: redactVariables(snapshot.variables, policy),
    started_at: time(started_at),
    ended_at: ended_at === null ? null : time(ended_at),
    end_reason: redactWord(end_reason, policy),
    disposition: redactWord(counted.disposition, policy),
    transferred_to,
    disclosure: snapshot.disclosure && { text: snapshot.disclosure.text, language: snapshot.disclosure.language },
    ...disclosedIn({ snapshot, events, held_by, started_at, ended_at }),
    complete: isComplete(events),
  };
}

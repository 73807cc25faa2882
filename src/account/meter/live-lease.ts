import type { Session } from "../../kernel/http/credential.ts";
import type { Credit as Covered } from "./budget-reservations.ts";

/** The holder of a lease, with the facts that decide on its access. */
export type Holder =
  | VisitorHolder
  | MemberHolder
  /** A call, which only the account can close. */
  | { type: "call" };

/** A caller of the API: an API key (by the id of its row or its SHA-256) or a console session. */
export interface MemberHolder {
  type: "member";
  credential: { key_id: string } | { key: string } | { session: Session };
  /** When the credential expires by itself, ms; null if it does not. */
  until: number | null;
  /** The caller view (`Principal`) at admission. */
  view: string;
}

/** A visitor of a page, who uses a widget key. */
export interface VisitorHolder {
  type: "visitor";
  visitor_id: string;
  visitor_type: "guest" | "user";
  widget_key_id: string;
  /** The id of the sign-in. */
  family: string;
  /** The page's origin; null if no page sent the request. */
  origin: string | null;
  /** The API key that signed the user in; null for a guest. */
  made_by: string | null;
  /** The client's address in the form in which limits count it; null for a runtime that speaks for the visitor. */
  address: string | null;
}

export type LiveKind = "call" | "widget" | "test" | "stream" | "upload";

/** The lease of a conversation, stream or upload, and its holder. */
export interface LiveLease {
  /** The id of the conversation, stream or upload. */
  id: string;
  kind: LiveKind;
  /** The object that keeps it open, by its name within the account. */
  object: { type: "conversation" | "campaign" | "events" | "test_run"; id: string };
  agent_id: string | null;
  campaign_id: string | null;
  /** The API key of a customer's own runtime that talks to the visitor; null otherwise. */
  api_key_id: string | null;
  holder: Holder;
}

/** A conversation's use of models since it began. It is cumulative, so that repeating a report changes nothing. */
export interface ConversationUse {
  input_tokens: number;
  output_tokens: number;
  /** The number of requests that have ended. */
  requests: number;
}

/** What a conversation may start without asking, and how many turns it may have; null means no limit. */
export interface Credit extends Covered {
  turns: number | null;
}

/** Whether a conversation may begin. */
export type LiveAdmission = { outcome: "admitted" } | { outcome: "refused"; code: LiveRefusal; retryAfterMs: number };

export type LiveRefusal = "conversation_cap" | "budget_reached";

/** Whether a conversation may continue. `reason` says why it must end. */
export type LiveRenewal = { outcome: "ok" } | { outcome: "ended"; reason: string };

/** Whether a conversation may begin, and what it may start. */
export type ConversationAdmission = { outcome: "admitted"; credit: Credit } | Refused<LiveAdmission>;
export type ConversationRenewal = { outcome: "ok"; credit: Credit } | Refused<LiveRenewal>;
type Refused<T> = Exclude<T, { outcome: "admitted" | "ok" }>;

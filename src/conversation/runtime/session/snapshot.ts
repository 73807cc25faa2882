import {
  type JudgedSession,
  judgeSession,
  judgingReads,
  type SessionRefusal,
} from "../../../account/visitors/judge-session.ts";
import { foundAgent } from "../../../agent/versions/content-reads.ts";
import type { Wanted } from "../../../agent/versions/taken.ts";
import { type AccountStore, assertOpen } from "../../../kernel/db/account-store.ts";
import type { AnalysisSettings, Disclosure } from "../../../kernel/db/schema/index.ts";
import type { Bindings, SessionIdentity } from "../../../kernel/http/context.ts";
import { ApiError, notFound } from "../../../kernel/http/errors.ts";
import { builtIn, localTime } from "../../../kernel/rendering/built-in.ts";
import { firstOfEachName, type Variable } from "../../../kernel/rendering/variables.ts";
import { personZone, type ZoneSources } from "../../../kernel/zones/person-zone.ts";
import type { CallSession } from "../../../phone/calls/call-session.ts";
import { callOwner } from "../../../phone/calls/live/call-owner.ts";
import { TOKEN_AFTER_END_MS } from "../turns/waiting.ts";
import { lastEnd } from "./last-end.ts";
import { promptDocuments } from "./prompt-documents.ts";
import type { SessionSnapshot } from "./session.ts";
import type { Install } from "./session-tools.ts";
import { beginVersion, type SessionVersion } from "./session-version.ts";
import { agentOf, renderedTexts } from "./snapshot-agent.ts";
import {
  type AgentFound,
  agentReads,
  contentFound,
  disclosureOutsideCalls,
  documentsWanted,
  knowledgeOf,
  makerInstalls,
} from "./snapshot-reads.ts";

interface Context {
  env: Bindings;
  store: AccountStore;
  /** Milliseconds. */
  now: number;
}

/** A session as read when its conversation begins. */
export interface Session {
  snapshot: SessionSnapshot;
  direction: "outbound" | "inbound" | null;
  /** The other side's number, for a call. */
  phone_number: string | null;
  /**
   * The account's installs of model providers and of the agent's voice, by the catalogue's ids, with sealed secrets.
   */
  installs: Record<string, Install>;
  /** The time zone of the date and time in texts. */
  timezone: string;
  /** When (ms) an earlier conversation of the same visitor ended. Tokens from before it are not accepted. */
  follows: number | null;
  /** The announcement at the beginning of the account's recorded calls. */
  announcement: string | null;
  /** The API key that placed the call, or of the custom runtime that talks to the visitor; otherwise null. */
  api_key_id: string | null;
  /** The version of its agent. */
  version: SessionVersion;
  /** The settings of the analysis after its end. */
  analysis: AnalysisSettings;
  /** Whether documents that belong in the prompt could not be read in time. */
  documents_late: boolean;
}

/** The other side of a conversation. */
interface Party {
  call: SessionSnapshot["call"];
  /** The disclosure on the call before the agent's first word. */
  disclosure?: Disclosure | null;
  visitor: SessionSnapshot["visitor"];
  /** The contact's columns, then the call's own. */
  variables: Variable[];
  /** The sources of their time zone, besides the agent and the account. */
  zones: Omit<ZoneSources, "agent" | "account">;
}

type VisitorIdentity = Extract<SessionIdentity, { kind: "widget" }>;

/**
 * Returns the session of a call, a visitor or a tester. It takes one D1 round trip, with requests to the call's owner
 * and the ledger in parallel; one more if a call's agent is pinned to a version. A tester must have been checked. An
 * archived agent still holds the conversation.
 * @throws ApiError 403 `account_closed`; 403 `session_ended` for a call that has ended or that its owner no longer has,
 * and for a token from before the end of the conversation it opened; 403 with the reason why a visitor may not use it;
 * 404 if the agent or its pinned version was deleted; 409 `not_published`
 */
export async function readSession(context: Context, identity: SessionIdentity, sessionId: string): Promise<Session> {
  const { store, now } = context;
  if (identity.kind === "call") {
    const reads = (wanted: Wanted) => store.read(...agentReads(store, identity, wanted));
    const [live, call, follows] = await Promise.all([
      reads("live"),
      callOwner(context, identity.campaign_id).session(identity.call_id),
      lastEnd(context, identity),
    ]);
    refuseEnded(identity, live, follows);
    if (!call || (call.ended_at !== null && now - call.ended_at >= TOKEN_AFTER_END_MS)) throw sessionEnded();
    const wanted = call.pinned_version ?? ("live" as const);
    // Most calls use the version in force, which was read without waiting for the call's owner.
    const found = wanted === "live" ? live : await reads(wanted);
    const party = callParty(identity.call_id, call);
    const announcement = found[3]?.recording_announcement ?? null;
    const parts = { session_id: sessionId, party, found, wanted, follows, announcement };
    return Object.assign(await sessionOf(context, identity, parts), { api_key_id: call.api_key_id });
  }
  if (identity.kind === "test") {
    const wanted = identity.version;
    const [found, follows] = await Promise.all([
      store.read(...agentReads(store, identity, wanted)),
      lastEnd(context, identity),
    ]);
    refuseEnded(identity, found, follows);
    const { visitor, variables } = identity;
    const party = { call: null, visitor, variables: Object.entries(variables), zones: {} };
    return sessionOf(context, identity, { session_id: sessionId, party, found, wanted, follows, announcement: null });
  }
  const wanted = "live" as const;
  const judged = judgedSession(identity);
  const [[family, signer, key, agent, policy, ...found], follows] = await Promise.all([
    store.read(...judgingReads(store, judged), ...agentReads(store, identity, wanted)),
    lastEnd(context, identity),
  ]);
  refuseEnded(identity, found, follows);
  const refusal =
    identity.expires_at <= now ? "expired" : judgeSession(judged, [family, signer, key, agent, policy], now);
  if (refusal) throw new ApiError(403, refusal, REFUSED[refusal]);
  const { visitor } = identity;
  const party = { call: null, visitor, variables: [], zones: {} };
  return sessionOf(context, identity, { session_id: sessionId, party, found, wanted, follows, announcement: null });
}

/**
 * Checks in one D1 round trip that a visitor may still use the session.
 * @throws ApiError 403 with the reason; AccountClosedError
 */
export async function judgeVisitor(store: AccountStore, identity: VisitorIdentity, now: number): Promise<void> {
  const judged = judgedSession(identity);
  const [accountStatus, ...found] = await store.read(store.accountStatus(), ...judgingReads(store, judged));
  assertOpen(accountStatus);
  const refusal = identity.expires_at <= now ? "expired" : judgeSession(judged, found, now);
  if (refusal) throw new ApiError(403, refusal, REFUSED[refusal]);
}

const REFUSED: Record<SessionRefusal | "expired", string> = {
  guest_not_allowed: "this agent is for identified users only",
  widget_disabled: "the widget of this agent is switched off",
  key_disabled: "the widget key is disabled",
  expired: "the visitor's session has expired",
  invalid: "the visitor's session has ended",
};

/** Refuses a closed account, and a token from before the end of a conversation. @throws ApiError 403 */
function refuseEnded({ issued_at }: SessionIdentity, [{ accountStatus }]: AgentFound, ended: number | null): void {
  if (accountStatus !== "open") {
    throw new ApiError(
      403,
      "account_closed",
      accountStatus === "disabled" ? "the account is disabled" : "the account does not exist",
    );
  }
  if (ended !== null && issued_at <= ended) throw sessionEnded();
}

const sessionEnded = () => new ApiError(403, "session_ended", "the session has ended");

function callParty(id: string, call: CallSession): Party {
  const { direction, from_number, to_number, provider, campaign_id, contact_id, disclosure, variables } = call;
  return {
    call: { id, direction, from_number, to_number, provider, campaign_id, contact_id },
    disclosure,
    visitor: null,
    variables,
    zones: {
      contact: call.contact_timezone,
      campaign: call.campaign_timezone,
      number: direction === "outbound" ? to_number : from_number,
    },
  };
}

/** Returns the identity in the form that the checks of authority use. */
function judgedSession({ visitor, agent_id, key_id, key, origin, made_by }: VisitorIdentity): JudgedSession {
  return { visitor_type: visitor.type, agent_id, key_id, fam: key, origin, made_by };
}

interface SessionParts extends Pick<Session, "follows" | "announcement"> {
  session_id: string;
  party: Party;
  found: AgentFound;
  wanted: Wanted;
}

async function sessionOf(
  context: Context,
  { kind, expires_at }: SessionIdentity,
  {
    session_id,
    party: { call, disclosure = null, visitor, variables, zones },
    found,
    wanted,
    follows,
    announcement,
  }: SessionParts,
): Promise<Session> {
  const { env, store, now } = context;
  const [profile, , prompt] = found;
  const existing = foundAgent(contentFound(found));
  if (!existing) throw notFound("agent");
  const { content, version } = await beginVersion(context, existing, wanted);
  const agent = content.fields;
  const sources = { agent: agent.timezone, account: profile.timezone };
  const timezone = personZone(Object.assign(sources, zones));
  const renderContext = {
    agent_name: agent.name,
    account_name: profile.display_name,
    call,
    timezone,
    language: agent.language,
    now,
  };
  const { texts, missing } = renderedTexts(agent, [...variables, ...builtIn(renderContext)]);
  // Built from entries, so that a column may have any name, even `__proto__`.
  const given = Object.fromEntries(firstOfEachName(variables));
  const { documents, isLate } = await promptDocuments(
    { env, account: store.account },
    documentsWanted(content, found, now),
  );
  const { faqs, playbooks, left_out, tools, unavailable_tools } = knowledgeOf(content, found, {
    party: { call, visitor, variables: given, isTester: kind === "test" },
    documents,
  });
  // A tester's token cannot be renewed.
  const ownLimit_s = kind === "test" ? Math.floor((expires_at - now) / 1000) : Number.POSITIVE_INFINITY;
  const snapshot: SessionSnapshot = {
    session_id,
    kind,
    account: store.account,
    expires_at: new Date(expires_at).toISOString(),
    disclosure:
      kind === "call"
        ? disclosure && Object.assign({ spoken: false }, disclosure)
        : disclosureOutsideCalls(found, agent.language),
    call,
    visitor,
    agent: agentOf(agent, {
      id: existing.row.id,
      version: version.number,
      prompt_id: version.is_stored ? (prompt?.id ?? null) : existing.row.active_prompt_id,
      system_prompt: texts.system_prompt,
      greeting_message: texts.greeting_message,
      phrases: texts.phrases,
    }),
    timezone,
    local_time: localTime(timezone, now),
    variables: given,
    missing_variables: missing,
    playbooks,
    faqs,
    documents,
    left_out,
    tools,
    unavailable_tools,
    limits: { max_duration_s: Math.min(Number(env.CALL_MAX_DURATION_S), ownLimit_s) },
  };
  return {
    snapshot,
    direction: call?.direction ?? null,
    phone_number: call && (call.direction === "outbound" ? call.to_number : call.from_number),
    installs: makerInstalls(found, agent.voice_provider),
    timezone,
    follows,
    announcement,
    api_key_id: null,
    version,
    analysis: agent.analysis,
    documents_late: isLate,
  };
}

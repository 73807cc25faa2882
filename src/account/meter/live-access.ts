import { eq, type SQL, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import { PUBLISHED_COLUMNS } from "../../agent/versions/in-force.ts";
import type { AccountStore, Read } from "../../kernel/db/account-store.ts";
import {
  agents,
  agentWidgetSettings,
  apiKeys,
  users,
  visitorFamilies,
  widgetKeys,
} from "../../kernel/db/schema/index.ts";
import { authorityOfKey, authorityOfUser } from "../gate/authority.ts";
import { beganAfter, type SessionStates } from "../gate/session-ledger.ts";
import { type SessionRefusal, visitorRefusal } from "../visitors/judge-session.ts";
import { SIGNER_COLUMNS } from "../visitors/signer.ts";
import { assemble, WIDGET_COLUMNS } from "../visitors/widget-lookup.ts";
import type { LiveLease, MemberHolder, VisitorHolder } from "./live-lease.ts";

/** The reason why the holder of a lease lost access. */
export type Revocation =
  | "account_closed"
  | "key_disabled"
  | "signed_out"
  | "widget_disabled"
  | "guest_not_allowed"
  | "access_revoked"
  | "expired";

/** The reasons for closing what is live, as clients see them and records store them. */
const REVOCATIONS: readonly Revocation[] = [
  "account_closed",
  "key_disabled",
  "signed_out",
  "widget_disabled",
  "guest_not_allowed",
  "access_revoked",
  "expired",
];

/** Checks whether a conversation ended for one of these reasons. */
export function isRevocation(reason: string | null): boolean {
  return REVOCATIONS.some((one) => one === reason);
}

type Rows<T> = { [K in keyof T]: T[K] extends Read<infer R> ? R : never };
type Found = Rows<ReturnType<typeof accessReads>>;

/** Everything that decides on live access, read at one moment. */
export interface LiveAccess {
  found: Found;
  sessions: SessionStates;
}

/**
 * Whether a holder keeps access. `until` is when (ms) the holder loses it even if nothing changes; null for never.
 */
export type StayVerdict = { stays: true; until: number | null } | { stays: false; reason: Revocation };

/** Returns the reads, for one batch, that decide whether the holders of these leases have access. */
export function accessReads(store: AccountStore, leases: LiveLease[]) {
  const visitors = leases.flatMap(({ holder }) => (holder.type === "visitor" ? holder : []));
  const credentials = leases.flatMap(({ holder }) => (holder.type === "member" ? holder.credential : []));
  const agentIds = leases.flatMap(({ agent_id }) => agent_id ?? []);
  const userIds = credentials.flatMap((credential) => ("session" in credential ? credential.session.user : []));
  const signerIds = visitors.flatMap(({ made_by }) => made_by ?? []);
  const keyIds = [
    ...credentials.flatMap((credential) => ("key_id" in credential ? credential.key_id : [])),
    ...signerIds,
  ];
  const hashes = credentials.flatMap((credential) => ("key" in credential ? credential.key : []));
  const isKey = sql`(${isOneOf(apiKeys.id, keyIds)} OR ${isOneOf(apiKeys.hash, hashes)})`;
  return [
    store.profile(),
    store.select(apiKeys, {
      where: isKey,
      columns: [...SIGNER_COLUMNS, "hash", "allowed_addresses"],
    }),
    store.select(users, { where: isOneOf(users.id, userIds), columns: ["id", "sessions_valid_after", "role"] }),
    store.select(widgetKeys, {
      where: isOneOf(
        widgetKeys.id,
        visitors.map(({ widget_key_id }) => widget_key_id),
      ),
    }),
    store.select(agents, {
      where: isOneOf(agents.id, agentIds),
      columns: [...WIDGET_COLUMNS, ...PUBLISHED_COLUMNS],
    }),
    store.select(agentWidgetSettings, { where: isOneOf(agentWidgetSettings.agent_id, agentIds) }),
    store.select(visitorFamilies, {
      where: isOneOf(
        visitorFamilies.id,
        visitors.map(({ family }) => family),
      ),
    }),
  ] as const;
}

export function mayStay(lease: LiveLease, access: LiveAccess, now: number): StayVerdict {
  const [profile] = access.found;
  if (profile.accountStatus !== "open") return { stays: false, reason: "account_closed" };
  switch (lease.holder.type) {
    case "call":
      return { stays: true, until: null };
    case "visitor":
      return judgeVisitor(lease, lease.holder, access, now);
    case "member":
      return judgeMember(lease, lease.holder, access, now);
  }
}

const AS_REVOCATION: Record<SessionRefusal, Revocation> = {
  key_disabled: "key_disabled",
  widget_disabled: "widget_disabled",
  guest_not_allowed: "guest_not_allowed",
  invalid: "access_revoked",
};

function judgeVisitor(
  { agent_id }: LiveLease,
  visitor: VisitorHolder,
  { found }: LiveAccess,
  now: number,
): StayVerdict {
  const [, apiKeyRows, , keys, agentRows, policies, families] = found;
  const { visitor_type, widget_key_id, family: fam, origin, made_by } = visitor;
  const key = keys.find(({ id }) => id === widget_key_id);
  const agent = agentRows.find(({ id }) => id === agent_id);
  const policy = policies.find((one) => one.agent_id === agent_id);
  const session = { visitor_type, agent_id: agent_id ?? "", key_id: widget_key_id, fam, origin, made_by };
  const family = families.find(({ id }) => id === fam);
  const signer = made_by === null ? undefined : apiKeyRows.find(({ id }) => id === made_by);
  const refusal = visitorRefusal(session, { family, signer, widget: assemble(key, agent, policy) }, now);
  if (refusal) return { stays: false, reason: AS_REVOCATION[refusal] };
  return { stays: true, until: timeOf(signer?.expires_at) };
}

function judgeMember(
  lease: LiveLease,
  { credential, until, view }: MemberHolder,
  access: LiveAccess,
  now: number,
): StayVerdict {
  const [profile, keys, userRows, , agentRows] = access.found;
  if (until !== null && until <= now) return { stays: false, reason: "expired" };
  if (lease.agent_id !== null && !agentRows.some(({ id }) => id === lease.agent_id))
    return { stays: false, reason: "access_revoked" };
  if ("session" in credential) {
    const { id, user: userId, issuedAt } = credential.session;
    const user = userRows.find((row) => row.id === userId);
    const { ended, outlived } = access.sessions;
    if (ended.includes(id) || !user) return { stays: false, reason: "signed_out" };
    const ofUser = timeOf(user.sessions_valid_after);
    const outlivesUsers = ofUser !== null && outlived[id] === ofUser;
    const validAfter = { account: timeOf(profile.sessions_valid_after), user: outlivesUsers ? null : ofUser };
    if (!beganAfter(issuedAt, validAfter)) return { stays: false, reason: "signed_out" };
    return authorityOfUser(user).callerView === view
      ? { stays: true, until }
      : { stays: false, reason: "access_revoked" };
  }
  const key = keys.find((row) => ("key" in credential ? row.hash === credential.key : row.id === credential.key_id));
  if (!key || key.disabled_at !== null) return { stays: false, reason: "key_disabled" };
  const expiresAt = timeOf(key.expires_at);
  if (expiresAt !== null && expiresAt <= now) return { stays: false, reason: "expired" };
  if (authorityOfKey(key).callerView !== view) return { stays: false, reason: "access_revoked" };
  return { stays: true, until: expiresAt };
}

function isOneOf(column: SQLiteColumn, values: string[]): SQL {
  const [first, ...others] = new Set(values);
  if (first !== undefined && others.length === 0) return eq(column, first);
  return sql`${column} IN (SELECT value FROM json_each(${JSON.stringify([...new Set(values)])}))`;
}

function timeOf(at: string | null | undefined): number | null {
  return at == null ? null : Date.parse(at);
}

/* Permissions as pure functions. Nothing here reads a store. */

/** The scopes of a caller, in the order in which they are listed. */
export const SCOPES = ["read", "listen", "build", "connect", "dial", "manage", "runtime"] as const;
export type Scope = (typeof SCOPES)[number];

/** What each scope permits, in words that continue "may". */
export const SCOPE_WORDS: Record<Scope, string> = {
  read: "read everything except what the other scopes open",
  listen: "read and hear conversations: transcripts, recordings and exports",
  build: "change agents, tools, playbooks, FAQs and widget settings",
  connect: "change integrations, carriers, numbers and webhooks",
  dial: "place calls, run campaigns and change the do-not-call list",
  manage:
    "change settings, prices and budgets, read the audit log, delete records, and in the console change members and keys",
  runtime: "hold conversations as a runtime of the account's own",
};

/** The scopes of an operator's token, in the order in which they are listed. */
export const OPERATOR_SCOPES = ["metrics", "accounts", "backup"] as const;
export type OperatorScope = (typeof OPERATOR_SCOPES)[number];

/** What each operator scope permits, in words that continue "may". */
export const OPERATOR_SCOPE_WORDS: Record<OperatorScope, string> = {
  metrics: "read `/metrics` and each account's usage",
  accounts: "list and create accounts, and change their plan, caps and quotas",
  backup: "list accounts and read them completely, which their audit logs record; never restore",
};

/** The roles of members, from the most powerful down. */
export const ROLES = ["owner", "admin", "builder", "operator", "analyst", "viewer"] as const;
export type Role = (typeof ROLES)[number];

const OF_ROLE: Record<Role, readonly Scope[]> = {
  owner: SCOPES,
  admin: SCOPES,
  builder: ["build", "connect", "listen"],
  operator: ["dial", "listen"],
  analyst: ["listen"],
  viewer: ["read"],
};

/** The scopes of an API key for which none were chosen. */
export const DEFAULT_KEY_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== "manage");

export const scopesOf = (role: Role): readonly Scope[] => withImplied(OF_ROLE[role]);

/** Returns the scopes in order, including `read`, which every scope except `runtime` implies. */
export function withImplied(scopes: readonly Scope[]): readonly Scope[] {
  const reads = scopes.some((scope) => scope !== "runtime");
  return SCOPES.filter((scope) => scopes.includes(scope) || (scope === "read" && reads));
}

/** Returns the first required scope that the caller lacks; null if none is missing. */
export function missingScope(required: readonly Scope[], held: readonly Scope[]): Scope | null {
  return required.find((scope) => !held.includes(scope)) ?? null;
}

/**
 * Alternative lists of scopes. A caller must have all scopes of at least one list. If there is no list, no scopes are
 * required.
 */
export type ScopeChoice = readonly (readonly Scope[])[];

/** The roles that can only read. Operations that any caller may use can still require additional scopes from them. */
export const LOOKING_ROLES: readonly Role[] = ["analyst", "viewer"];

/** Returns the first scope that is missing from the first list; null if the caller has all scopes of any list. */
export function missingOfChoice(choice: ScopeChoice, held: readonly Scope[]): Scope | null {
  const missing = choice.map((required) => missingScope(required, held));
  return missing.includes(null) ? null : (missing[0] ?? null);
}

/**
 * Checks whether a member with role `own` may assign, change or remove a member with role `other`. Only owners may
 * manage owners, and no member may grant more scopes than they have.
 */
export function mayGrant(own: Role, other: Role): boolean {
  return (other !== "owner" || own === "owner") && missingScope(scopesOf(other), scopesOf(own)) === null;
}

/** The ids of the agents to which a caller's access is limited; null for all. */
export type AgentIds = readonly string[] | null;

/** The permissions of a caller. */
export interface Authority {
  /** The member's role; null for an API key. */
  role: Role | null;
  scopes: readonly Scope[];
  agentIds: AgentIds;
}

/** Checks whether the caller may read conversations' turns, variables, tool data and traces. */
export const seesContent = ({ scopes }: Authority): boolean => scopes.includes("listen");
/** Checks whether the caller may read contacts' columns and unmasked phone numbers. */
export const seesContacts = ({ scopes }: Authority): boolean => scopes.includes("listen") || scopes.includes("dial");
/**
 * Checks whether the caller has access to rows of this agent. A caller who is limited to some agents has no access to
 * rows without an agent.
 */
export const isWithin = (agentIds: AgentIds, agentId: string | null): boolean =>
  agentIds === null || (agentId !== null && agentIds.includes(agentId));

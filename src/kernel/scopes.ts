/* Who may do what, decided from data alone: nothing here looks anything up. */

/** What a caller may do, in the order in which it is listed. */
export const SCOPES = ["read", "listen", "build", "connect", "dial", "manage", "runtime"] as const;
export type Scope = (typeof SCOPES)[number];

/** What each scope opens, in words that continue "may". */
export const SCOPE_WORDS: Record<Scope, string> = {
  read: "read everything but what the other scopes open",
  listen: "read and hear conversations: transcripts, recordings and exports",
  build: "change agents, tools, playbooks, FAQs and widget settings",
  connect: "change integrations, carriers, numbers and webhooks",
  dial: "place calls, run campaigns and change the do-not-call list",
  manage:
    "change settings, prices and budgets, read the audit log, delete records, and in the console change members and keys",
  runtime: "hold conversations as a runtime of the account's own",
};

/** What an operator's token may do, in the order in which it is listed. */
export const OPERATOR_SCOPES = ["metrics", "accounts", "backup"] as const;
export type OperatorScope = (typeof OPERATOR_SCOPES)[number];

/** What each of these opens, in words that continue "may". */
export const OPERATOR_SCOPE_WORDS: Record<OperatorScope, string> = {
  metrics: "read `/metrics` and each account's usage",
  accounts: "list and create accounts, and change their plan, caps and quotas",
  backup: "list accounts and read them whole, each read in that account's audit log; never restore",
};

/** Members of an account, from the most powerful down. */
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

/** An API key's scopes if none are named. */
export const DEFAULT_KEY_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== "manage");

/** What a role may do. */
export const scopesOf = (role: Role): readonly Scope[] => withImplied(OF_ROLE[role]);

/** The scopes in their order, with `read`, which any other than `runtime` implies. */
export function withImplied(scopes: readonly Scope[]): readonly Scope[] {
  const reads = scopes.some((scope) => scope !== "runtime");
  return SCOPES.filter((scope) => scopes.includes(scope) || (scope === "read" && reads));
}

/** The first of the required scopes that is not held; null if all are. */
export function missingScope(required: readonly Scope[], held: readonly Scope[]): Scope | null {
  return required.find((scope) => !held.includes(scope)) ?? null;
}

/** Lists of scopes of which a caller must hold one list whole; empty if none is needed. */
export type ScopeChoice = readonly (readonly Scope[])[];

/** Roles for people who look and listen. Operations that are open to every caller may still require scopes of them. */
export const LOOKING_ROLES: readonly Role[] = ["analyst", "viewer"];

/** The first scope that the caller lacks of the list that the choice names first; null if one list is held whole. */
export function missingOfChoice(choice: ScopeChoice, held: readonly Scope[]): Scope | null {
  const missing = choice.map((required) => missingScope(required, held));
  return missing.includes(null) ? null : (missing[0] ?? null);
}

/** Whether a member of one role may assign, change or remove another: only owners manage owners, no role exceeds itself. */
export function mayGrant(own: Role, other: Role): boolean {
  return (other !== "owner" || own === "owner") && missingScope(scopesOf(other), scopesOf(own)) === null;
}

/** The only agents that a caller is for; null for all. */
export type AgentIds = readonly string[] | null;

/** How far a caller's authority reaches. */
export interface Authority {
  /** Of a member; null for an API key. */
  role: Role | null;
  scopes: readonly Scope[];
  agentIds: AgentIds;
}

/** Conversations' content: turns, variables, tool data, traces. */
export const seesContent = ({ scopes }: Authority): boolean => scopes.includes("listen");
/** Contacts' columns and whole phone numbers. */
export const seesContacts = ({ scopes }: Authority): boolean => scopes.includes("listen") || scopes.includes("dial");
/** Whether rows of the agent are theirs; rows of no agent are not where there are limits. */
export const isWithin = (agentIds: AgentIds, agentId: string | null): boolean =>
  agentIds === null || (agentId !== null && agentIds.includes(agentId));

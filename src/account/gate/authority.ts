import { callerViewOf } from "../../kernel/caller-view.ts";
import type { ApiKeyRow, UserRow } from "../../kernel/db/look-ups.ts";
import { type Authority, scopesOf, withImplied } from "../../kernel/scopes.ts";

/** An authority and its caller view (`callerViewOf`). */
export interface AuthorityWithCallerView {
  authority: Authority;
  callerView: string;
}

export function authorityOfKey(
  key: Pick<ApiKeyRow, "scopes" | "agent_ids" | "allowed_addresses">,
): AuthorityWithCallerView {
  const authority = { role: null, scopes: withImplied(key.scopes), agentIds: key.agent_ids };
  return { authority, callerView: callerViewOf(authority, key.allowed_addresses) };
}

export function authorityOfUser({ role }: Pick<UserRow, "role">): AuthorityWithCallerView {
  const authority = { role, scopes: scopesOf(role), agentIds: null };
  return { authority, callerView: callerViewOf(authority, null) };
}

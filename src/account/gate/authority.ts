import type { ApiKeyRow, UserRow } from "../../kernel/db/look-ups.ts";
import { type Authority, scopesOf, withImplied } from "../../kernel/scopes.ts";
import { viewOf } from "../../kernel/view.ts";

/** An authority and its view (`viewOf`). */
export interface Viewed {
  authority: Authority;
  view: string;
}

export function authorityOfKey(key: Pick<ApiKeyRow, "scopes" | "agent_ids" | "allowed_addresses">): Viewed {
  const authority = { role: null, scopes: withImplied(key.scopes), agentIds: key.agent_ids };
  return { authority, view: viewOf(authority, key.allowed_addresses) };
}

export function authorityOfUser({ role }: Pick<UserRow, "role">): Viewed {
  const authority = { role, scopes: scopesOf(role), agentIds: null };
  return { authority, view: viewOf(authority, null) };
}

import { type Authority, isWithin } from "../scopes.ts";
import { ApiError, invalidField, notFound } from "./errors.ts";

const NOT_ALLOWED = "this API key is limited to other agents";

/** Refuses an agent to which the key has no access. @throws ApiError 403 */
export function assertOwnAgent({ agentIds }: Pick<Authority, "agentIds">, agentId: string | null): void {
  if (!isWithin(agentIds, agentId)) throw new ApiError(403, "agent_not_allowed", NOT_ALLOWED);
}

/** Returns the row if it exists and belongs to one of the key's agents. @throws ApiError 404 */
export function ownRow<T extends { agent_id: string | null }>(
  { agentIds }: Pick<Authority, "agentIds">,
  row: T | null,
  what: string,
): T {
  if (row === null || !isWithin(agentIds, row.agent_id)) throw notFound(what);
  return row;
}

/** A list's filter by agents: the requested agent, or any of the key's agents. */
export interface OfAgents {
  agent_id?: string | undefined;
  agent_version?: number | undefined;
  agent_ids?: readonly string[] | undefined;
}

/**
 * Limits the filters of a list to the key's agents.
 * @throws ApiError 403 if a filter names another agent, 400 if a version is requested without its agent
 */
export function withinOwnAgents<Q extends OfAgents>(authority: Authority, query: Q): Q & OfAgents {
  const within = heldTo(authority, query);
  if (within.agent_version !== undefined && within.agent_id === undefined)
    throw invalidField("agent_version", "invalid_request", "requires agent_id: each agent numbers its own versions");
  return within;
}

function heldTo<Q extends OfAgents>(authority: Authority, query: Q): Q & OfAgents {
  const { agentIds } = authority;
  if (agentIds === null) return query;
  if (query.agent_id !== undefined) {
    assertOwnAgent(authority, query.agent_id);
    return query;
  }
  const [only, ...others] = agentIds;
  return Object.assign({}, query, others.length === 0 && only ? { agent_id: only } : { agent_ids: agentIds });
}

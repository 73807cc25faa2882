import { type Authority, isWithin } from "../scopes.ts";
import { ApiError, invalidField, notFound } from "./errors.ts";

const NOT_ALLOWED = "this API key is not for this agent";

/** Refuses to act with an agent that the key is not for. @throws ApiError 403 */
export function assertOwnAgent({ agentIds }: Authority, agentId: string): void {
  if (!isWithin(agentIds, agentId)) throw new ApiError(403, "agent_not_allowed", NOT_ALLOWED);
}

/** The row, if it is there and of an agent that the key is for. @throws ApiError 404 */
export function ownRow<T extends { agent_id: string }>({ agentIds }: Authority, row: T | null, what: string): T {
  if (row === null || !isWithin(agentIds, row.agent_id)) throw notFound(what);
  return row;
}

/**
 * Whose rows a list shows: those of the agent asked for, or of the only one that the key is for.
 * @throws ApiError 400 where the key is for several and none was named, 403 where it is not for the one named
 */
export function agentListed(authority: Authority, asked: string | undefined): string | undefined {
  const { agentIds } = authority;
  if (agentIds === null) return asked;
  if (asked !== undefined) {
    assertOwnAgent(authority, asked);
    return asked;
  }
  const [only, ...others] = agentIds;
  if (others.length > 0) {
    throw invalidField("agent_id", "required", "is required, because this API key is for several agents");
  }
  return only ?? "";
}

import { type ApiError, conflict } from "../../kernel/http/errors.ts";
import type { AgentContent } from "./content.ts";
import { type FoundAgent, isPublished } from "./content-reads.ts";
import { narrower } from "./narrower.ts";

/** The content that a conversation uses: the draft, what is in force, or a version by number. */
export type Wanted = "draft" | "live" | number;

/** The content of an agent for a conversation. */
export interface Taken {
  content: AgentContent;
  /** The content's version, if it is known: a draft may not be a version yet. */
  version: { number: number; hash: string; used_at: string } | null;
}

/**
 * Returns the content for a conversation. A version that is not in force is limited to the authority of the version in
 * force, or of the draft if there is none.
 */
export function taken(found: FoundAgent, wanted: Wanted): Taken | "not_published" | "unknown_version" {
  const { row, draft, inForce, versions } = found;
  if (wanted === "draft") return { content: draft, version: null };
  if (wanted === "live") {
    if (row.versioning === "auto") return { content: draft, version: null };
    return inForce && isPublished(row) ? { content: inForce.content, version: inForce.row } : "not_published";
  }
  const version = versions.get(wanted);
  if (!version) return "unknown_version";
  if (version === inForce) return { content: version.content, version: version.row };
  return { content: narrower(version.content, inForce?.content ?? draft), version: version.row };
}

/** Creates the error for an agent that was never published and so has no content in force. */
export function notPublished(): ApiError {
  return conflict("not_published", NOT_PUBLISHED);
}

export const NOT_PUBLISHED = "the agent was never published: publish a version first";

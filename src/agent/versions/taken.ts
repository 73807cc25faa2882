import { type ApiError, conflict } from "../../kernel/http/errors.ts";
import type { AgentContent } from "./content.ts";
import { type FoundAgent, isPublished } from "./content-reads.ts";
import { narrower } from "./narrower.ts";

/** Which of an agent's contents a conversation is to take: what is saved, what is in force, or the version of a number. */
export type Wanted = "draft" | "live" | number;

/** What a conversation takes of an agent. */
export interface Taken {
  content: AgentContent;
  /** The version that it is, where that is known: what is saved may be none yet. */
  version: { number: number; hash: string; used_at: string } | null;
}

/**
 * What a conversation takes: a version that is not in force has no more authority than the one that is, or than what is
 * saved where none is.
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

/** The refusal of whoever asks for what is in force of an agent that was never published. */
export function notPublished(): ApiError {
  return conflict("not_published", NOT_PUBLISHED);
}

export const NOT_PUBLISHED = "the agent is under manual versioning and was never published";

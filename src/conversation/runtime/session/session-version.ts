import type { AgentContent } from "../../../agent/versions/content.ts";
import type { FoundAgent } from "../../../agent/versions/content-reads.ts";
import { manifestOf } from "../../../agent/versions/manifest.ts";
import { isFresh, knownVersion, noteUse, useVersion } from "../../../agent/versions/record-version.ts";
import { notPublished, taken, type Wanted } from "../../../agent/versions/taken.ts";
import type { AccountStore } from "../../../kernel/db/account-store.ts";
import { notFound } from "../../../kernel/http/errors.ts";
import { logError } from "../../../kernel/log.ts";

/** The version of its agent that a session was created from. */
export interface SessionVersion {
  /** Null if it could not be stored. */
  number: number | null;
  /** SHA-256 of its content, hexadecimal. */
  hash: string;
  /** Whether it is a stored version, from which the saved agent may differ: then its tools run as stored. */
  is_stored: boolean;
  /** The requested number; null if it follows the version in force. */
  pin: number | null;
}

interface Begun {
  content: AgentContent;
  version: SessionVersion;
}

/** The creator of versions that are stored at their first use. */
const FIRST_USE = "service";

/**
 * Returns the agent's content for a conversation and its version, whose use is recorded once a day. A failure of that
 * write does not refuse the conversation. @throws ApiError 404, 409 `not_published`
 */
export async function beginVersion(
  { store, now }: { store: AccountStore; now: number },
  found: FoundAgent,
  wanted: Wanted,
): Promise<Begun> {
  const { id } = found.row;
  const took = taken(found, wanted);
  if (took === "not_published") throw notPublished();
  if (took === "unknown_version") throw notFound("agent version");
  const { content, version } = took;
  const pin = typeof wanted === "number" ? wanted : null;
  const unrecorded = (error: unknown) => {
    logError("agent_version", error, { account: store.account, agent: id });
    return null;
  };
  if (version !== null) {
    const { number, hash } = version;
    if (!isFresh(version, now)) await noteUse(store, { agent_id: id, number }, now).catch(unrecorded);
    return { content, version: { number, hash, is_stored: true, pin } };
  }
  const manifest = await manifestOf(content);
  const { hash } = manifest;
  const existing = knownVersion(found, hash, now);
  const number = existing ?? (await useVersion({ store, created_by: FIRST_USE, now }, id, manifest).catch(unrecorded));
  return { content, version: { number, hash, is_stored: false, pin } };
}

import type { z } from "@hono/zod-openapi";
import { DEFAULT_FILLER_AFTER_MS } from "../../../agent/agents/filler.ts";
import { DEFAULT_LANGUAGE } from "../../../agent/speech/language.ts";
import { NO_PHRASES } from "../../../kernel/db/schema/index.ts";
import { STORES_ALL, type StoragePolicy } from "../../../records/privacy/redaction/storage-policy.ts";
import type { sessionSnapshot } from "./snapshot-document.ts";

/** The snapshot that a runtime gets of its session: created once, then frozen. */
export type SessionSnapshot = z.output<typeof sessionSnapshot>;

/**
 * A snapshot as an earlier version may have stored it: its tools may change something, and run as often as then; its
 * agent transfers nobody, and all that is said goes on record.
 */
export function completedSnapshot(stored: SessionSnapshot): SessionSnapshot {
  const defaults = { effect: "write", max_runs: null } as const;
  const tools = stored.tools.map((tool) => Object.assign({}, defaults, tool));
  const agent = Object.assign(
    { transfer_targets: [], version: null, filler_after_ms: DEFAULT_FILLER_AFTER_MS },
    { language: DEFAULT_LANGUAGE, languages: [], key_terms: [], phrases: NO_PHRASES },
    STORES_ALL,
    stored.agent,
  );
  return Object.assign({ disclosure: null }, stored, { tools, agent });
}

/** What of the conversation may leave it. */
export function policyOf({ agent: { storage, redact } }: SessionSnapshot): StoragePolicy {
  return { storage, redact };
}

import type { z } from "@hono/zod-openapi";
import type { StoragePolicy } from "../../../records/privacy/redaction/storage-policy.ts";
import type { sessionSnapshot } from "./snapshot-document.ts";

/** The snapshot that a runtime gets of its session: created once, then frozen. */
export type SessionSnapshot = z.output<typeof sessionSnapshot>;

/** What of the conversation may leave it. */
export function policyOf({ agent: { storage, redact } }: SessionSnapshot): StoragePolicy {
  return { storage, redact };
}

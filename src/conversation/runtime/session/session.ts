import type { z } from "@hono/zod-openapi";
import type { StoragePolicy } from "../../../records/privacy/redaction/storage-policy.ts";
import type { sessionSnapshot } from "./snapshot-document.ts";

/** The session snapshot that a runtime receives: created once, never changed. */
export type SessionSnapshot = z.output<typeof sessionSnapshot>;

/** Returns the policy for what may leave the conversation. */
export function policyOf({ agent: { storage, redact } }: SessionSnapshot): StoragePolicy {
  return { storage, redact };
}

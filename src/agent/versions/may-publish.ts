import { type SQL, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { close, type Read } from "../../kernel/db/statement.ts";
import type { ApiError } from "../../kernel/http/errors.ts";

/** What is about to be published. */
export interface ToPublish {
  agent_id: string;
  versioning: "auto" | "manual";
  /** Of its content. */
  hash: string;
}

/** What is read of what may keep a version from being published. */
export type GateFound = Record<never, never>;

/** What decides whether a version may be published: a condition in the write itself, and what is read beside it. */
export interface PublishGate {
  isOpen: SQL;
  found: Read<GateFound>;
}

/** Nothing keeps a version from being published. */
export function publishGate(_store: AccountStore, _version: ToPublish): PublishGate {
  return { isOpen: sql`true`, found: close({ builders: [], result: () => ({}), writes: null }) };
}

/** Why a version is not published, by what was read in the batch of the write; null where that is not the reason. */
export function mayPublish(_found: GateFound, _version: ToPublish): ApiError | null {
  return null;
}

import { type SQL, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { mapped, type Read, together } from "../../kernel/db/statement.ts";
import { type ApiError, conflict } from "../../kernel/http/errors.ts";
import { passesRequired, requiredThat } from "../tests/gate.ts";

export interface ToPublish {
  agent_id: string;
  versioning: "auto" | "manual";
  hash: string;
  /** Whether to publish although required tests do not pass. */
  force: boolean;
}

/** The names of the required tests that prevent a version from being published. */
export interface GateFound {
  failed: string[];
  unrun: string[];
}

/** The conditions for publishing a version: one for the write itself, and a read of the reasons in the same batch. */
export interface PublishGate {
  isOpen: SQL;
  found: Read<GateFound>;
}

/** The maximum number of tests that a response names. */
const MOST_NAMED = 10;

/**
 * Returns the conditions for publishing a version. With the versioning `manual`, all required tests must pass on it.
 */
export function publishGate(store: AccountStore, version: ToPublish): PublishGate {
  const names = (outcome: "failed" | "unrun") =>
    mapped(requiredThat(store, outcome, version), (tests) => tests.map(({ name }) => name));
  const isHeld = version.versioning === "manual" && !version.force;
  return {
    isOpen: isHeld ? passesRequired(store, version) : sql`true`,
    found: together(names("failed"), names("unrun"), (failed, unrun) => ({ failed, unrun })),
  };
}

/**
 * Returns the reason why a version was not published, from the reads in the batch of the write; null if tests are not
 * the reason.
 */
export function mayPublish({ failed, unrun }: GateFound, { versioning, force }: ToPublish): ApiError | null {
  if (versioning === "auto" || force) return null;
  if (failed.length > 0)
    return conflict("tests_failed", `required tests fail on the content to be published: ${named(failed)}`);
  if (unrun.length > 0)
    return conflict(
      "tests_not_run",
      `required tests were not run on the content to be published, or their model failed too often: ${named(unrun)}`,
    );
  return null;
}

function named(names: readonly string[]): string {
  const quoted = names.slice(0, MOST_NAMED).map((name) => `“${name}”`);
  return names.length > MOST_NAMED ? `${quoted.join(", ")} and ${names.length - MOST_NAMED} more` : quoted.join(", ");
}

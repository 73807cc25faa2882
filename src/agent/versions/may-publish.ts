import { type SQL, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { mapped, type Read, together } from "../../kernel/db/statement.ts";
import { type ApiError, conflict } from "../../kernel/http/errors.ts";
import { passesRequired, requiredThat } from "../tests/gate.ts";

/** What is about to be published. */
export interface ToPublish {
  agent_id: string;
  versioning: "auto" | "manual";
  /** Of its content. */
  hash: string;
  /** Whether it is published although required tests do not pass. */
  force: boolean;
}

/** The required tests that keep a version from being published, by name. */
export interface GateFound {
  failed: string[];
  unrun: string[];
}

/** What decides whether a version may be published: a condition in the write itself, and what is read beside it. */
export interface PublishGate {
  isOpen: SQL;
  found: Read<GateFound>;
}

/** Most names of tests in an answer. */
const MOST_NAMED = 10;

/** Under manual versioning, required tests keep a version from being published that they do not pass on. */
export function publishGate(store: AccountStore, version: ToPublish): PublishGate {
  const names = (outcome: "failed" | "unrun") =>
    mapped(requiredThat(store, outcome, version), (tests) => tests.map(({ name }) => name));
  const isHeld = version.versioning === "manual" && !version.force;
  return {
    isOpen: isHeld ? passesRequired(store, version) : sql`true`,
    found: together(names("failed"), names("unrun"), (failed, unrun) => ({ failed, unrun })),
  };
}

/** Why a version is not published, by what was read in the batch of the write; null if that is not the reason. */
export function mayPublish({ failed, unrun }: GateFound, { versioning, force }: ToPublish): ApiError | null {
  if (versioning === "auto" || force) return null;
  if (failed.length > 0)
    return conflict("tests_failed", `required tests fail on what is to be published: ${named(failed)}`);
  if (unrun.length > 0)
    return conflict(
      "tests_not_run",
      `required tests were not run on what is to be published, or their model failed too often: ${named(unrun)}`,
    );
  return null;
}

function named(names: readonly string[]): string {
  const quoted = names.slice(0, MOST_NAMED).map((name) => `“${name}”`);
  return names.length > MOST_NAMED ? `${quoted.join(", ")} and ${names.length - MOST_NAMED} more` : quoted.join(", ");
}

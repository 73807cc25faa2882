import { sql } from "drizzle-orm";
import type { z } from "zod";
import type { AccountSet } from "../../kernel/db/account-changes.ts";
import type { AccountRow } from "../../kernel/db/look-ups.ts";
import type { OperatorStore } from "../../kernel/db/operator-store.ts";
import { accounts as accountTable } from "../../kernel/db/schema/index.ts";
import { askedFor } from "../../kernel/http/asked.ts";
import type { OperatorTerms } from "../../kernel/http/credential.ts";
import { type ApiError, conflict, notFound } from "../../kernel/http/errors.ts";
import { type CallCaps, capsOf } from "../../phone/call-limits/plans.ts";
import { assertTokenChanges } from "../auth/operator-terms.ts";
import { quotasOf } from "../plan/quotas.ts";
import type { updateAccount as contract } from "./contract.ts";

type Changes = z.output<NonNullable<typeof contract.body>>;

interface Context {
  operatorStore: OperatorStore;
  /** The terms of an operator's token; null for a console user. */
  terms: OperatorTerms | null;
  now: number;
}

/** The maximum number of attempts if the account is changed in the meantime. */
const TRIES = 5;
/** The value of an account without overrides. */
const NO_CAPS = { concurrent_calls: null, calls_per_minute: null, calls_per_day: null };

/**
 * Changes an account. A value that is already in effect is not a change, so caps and quotas that are sent back as read
 * still come from the plan.
 * @throws ApiError 403, 404, 409
 */
export async function updateAccount({ operatorStore, terms, now }: Context, name: string, changes: Changes) {
  for (let tries = 0; tries < TRIES; tries++) {
    const before = found(await operatorStore.account(name));
    const asked = askedOf(changes, before);
    if (Object.keys(asked).length === 0) return { row: before, asked };
    assertTokenChanges(terms, asked);
    const row = await operatorStore.update(before, setOf(asked, now));
    if (row) return { row, asked };
    const { updated_at } = found(await operatorStore.account(name));
    if (asked.disabled === false && updated_at === before.updated_at) throw await whyClosed(operatorStore, name);
  }
  throw conflict("changing", "another request is changing the account; try again");
}

/** Returns the values that differ from those in effect. */
function askedOf({ caps, quotas, ...others }: Changes, row: AccountRow): Changes {
  const asked: Changes = askedFor(others, describe(row));
  const shown = describe(row);
  const ofCaps = overridesAsked(caps, shown.caps, shown.caps_overrides);
  if (ofCaps !== undefined) asked.caps = ofCaps;
  const ofQuotas = overridesAsked(quotas, shown.quotas, shown.quotas_overrides);
  if (ofQuotas !== undefined) asked.quotas = ofQuotas;
  return asked;
}

/** Returns the overrides that a request sets or removes; undefined if there are none. */
function overridesAsked<T extends Record<string, number | null | undefined>>(
  sent: T | null | undefined,
  inEffect: object,
  overrides: object,
): T | null | undefined {
  if (sent === undefined) return undefined;
  if (sent === null) return Object.keys(overrides).length > 0 ? null : undefined;
  const [present, own] = [new Map(Object.entries(inEffect)), new Map(Object.entries(overrides))];
  const asked = Object.entries(sent).filter(([name, value]) =>
    value === null ? own.has(name) : value !== undefined && value !== present.get(name),
  );
  return asked.length > 0 ? (Object.fromEntries(asked) as T) : undefined;
}

function setOf({ caps, quotas, disabled, ...rest }: Changes, now: number): AccountSet {
  const at = new Date(now).toISOString();
  return {
    ...rest,
    ...(caps !== undefined && overrides(caps ?? NO_CAPS)),
    // Merged within the write (RFC 7396), so that concurrent changes do not overwrite each other.
    ...(quotas && { quotas: sql`json_patch(${accountTable.quotas}, ${JSON.stringify(quotas)})` }),
    ...(quotas === null && { quotas: {} }),
    ...(disabled !== undefined && { disabled_at: disabled ? at : null }),
    ...(rest.recording_retention_days !== undefined && { retention_due_at: 0 }),
    updated_at: at,
  };
}

async function whyClosed(operatorStore: OperatorStore, name: string): Promise<ApiError> {
  const { status } = (await operatorStore.deletion(name)) ?? {};
  if (status === "scheduled" || status === "running")
    return conflict("to_be_deleted", "the account will be deleted: cancel the deletion first");
  return conflict("restoring", "the account's restore is not complete: complete it first");
}

export function found(row: AccountRow | undefined): AccountRow {
  if (!row) throw notFound("account");
  return row;
}

export function overrides(caps: { [K in keyof CallCaps]?: number | null | undefined }) {
  return {
    ...(caps.concurrent_calls !== undefined && { cap_concurrent_calls: caps.concurrent_calls }),
    ...(caps.calls_per_minute !== undefined && { cap_calls_per_minute: caps.calls_per_minute }),
    ...(caps.calls_per_day !== undefined && { cap_calls_per_day: caps.calls_per_day }),
  };
}

/** Returns an account in the form that operators see. */
export function describe(row: AccountRow) {
  const { cap_concurrent_calls, cap_calls_per_minute, cap_calls_per_day, disabled_at } = row;
  return {
    ...row,
    caps: capsOf(row),
    caps_overrides: {
      ...(cap_concurrent_calls !== null && { concurrent_calls: cap_concurrent_calls }),
      ...(cap_calls_per_minute !== null && { calls_per_minute: cap_calls_per_minute }),
      ...(cap_calls_per_day !== null && { calls_per_day: cap_calls_per_day }),
    },
    quotas: quotasOf(row),
    quotas_overrides: row.quotas,
    disabled: disabled_at !== null,
  };
}

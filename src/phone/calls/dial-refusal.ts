import type { AccountStore } from "../../kernel/db/account-store.ts";
import { callSettings } from "../../kernel/db/schema/index.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import { isAllowedDestination } from "../call-settings/destinations.ts";
import { type CallSettings, DEFAULT_CALL_SETTINGS } from "../call-settings/settings.ts";
import { type Blocked, blockedAmong, blockedRead, type ListContext } from "../do-not-call/blocked.ts";

/** Why the account doesn't dial a number, as an error code. */
export type DialRefusal = "do_not_call" | "destination_not_allowed";

/** Returns the reads that `dialRefusals` needs, to be batched with others. */
export function dialReads(store: AccountStore, numbers: string[]) {
  return [blockedRead(store, numbers), store.first(callSettings)] as const;
}

type Found = [blocked: Blocked, settings: CallSettings | undefined];

/** Returns which of these E.164 numbers must not be dialed. Calls, campaigns and transfers all use this check. */
export async function dialRefusals(
  context: ListContext,
  numbers: string[],
  [blocked, settings]: Found,
): Promise<Map<string, DialRefusal>> {
  const { allowed_destinations } = settings ?? DEFAULT_CALL_SETTINGS;
  const refusals = new Map<string, DialRefusal>();
  for (const number of numbers)
    if (!isAllowedDestination(allowed_destinations, number)) refusals.set(number, "destination_not_allowed");
  for (const number of await blockedAmong(context, numbers, blocked)) refusals.set(number, "do_not_call");
  return refusals;
}

/** Checks one number; returns null if it may be dialed. */
export async function dialRefusal(context: ListContext, number: string, found: Found): Promise<DialRefusal | null> {
  return (await dialRefusals(context, [number], found)).get(number) ?? null;
}

const MESSAGES: Record<DialRefusal, string> = {
  do_not_call: "the number is on the do-not-call list",
  destination_not_allowed: "the account's call settings do not allow calls to this destination",
};

export const dialRefused = (refusal: DialRefusal) =>
  new ApiError(403, refusal, MESSAGES[refusal], {}, [
    { field: "to_number", code: refusal, message: MESSAGES[refusal] },
  ]);

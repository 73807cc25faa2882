import type { Author } from "../../kernel/db/account-store.ts";
import { type ApiError, conflict } from "../../kernel/http/errors.ts";
import type { CampaignContext } from "../context.ts";
import type { Operation } from "../decide/state.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { cancelSome, operate } from "../store/campaign-transitions.ts";

/** Most contacts cancelled before a stop is answered; the alarm loop cancels the rest. */
const CANCEL_AT_ONCE = 2_000;

export interface OperationOrder {
  operation: Operation;
  author: Author;
  /** The id of the request, fixed by its idempotency key; null without one. */
  id: string | null;
}

/** Carries out an operation in one step. @throws ApiError 409 if the campaign's state does not allow it */
export function applyOperation(
  { store, now }: Pick<CampaignContext, "store" | "now">,
  { operation, author, id }: OperationOrder,
): void {
  const at = now();
  if (!operate(store, operation, author, at, id)) throw wrongState(store, operation);
  if (operation === "stop") cancelSome(store, CANCEL_AT_ONCE, at);
}

export function wrongState({ campaign }: CampaignStore, operation: Operation): ApiError {
  return conflict("wrong_state", `cannot ${operation} a campaign that is ${campaign.existing.status}`);
}

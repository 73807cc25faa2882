import type { Author } from "../../kernel/db/account-store.ts";
import { ApiError, conflict } from "../../kernel/http/errors.ts";
import type { CampaignContext } from "../context.ts";
import type { Operation } from "../decide/state.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { cancelSome, operate } from "../store/campaign-transitions.ts";

export interface OperationOrder {
  operation: Operation;
  author: Author;
  /** The ID of the request, fixed by its idempotency key; null without one. */
  id: string | null;
  expected: Expected;
}

/** The required state of the campaign; null for any. */
export interface Expected {
  revision: number | null;
  /** Number of waiting contacts. */
  pending: number | null;
  /** The contacts revision from the campaign's plan. */
  contacts: number | null;
}

/** Maximum number of contacts canceled before a stop is answered, so that most campaigns are then stopped as a whole. */
const CANCELLED_BY_STOP = 2_000;

export const AS_IT_IS: Expected = { revision: null, pending: null, contacts: null };

/**
 * Carries out an operation in one step.
 * @throws ApiError 409 if the campaign's state doesn't allow it, 412 if the campaign isn't as expected
 */
export function applyOperation(
  { store, now }: Pick<CampaignContext, "store" | "now">,
  { operation, author, id, expected }: OperationOrder,
): void {
  const at = now();
  if (!store.operations.find(id)) assertExpected(store, expected);
  if (!operate(store, operation, author, at, id)) throw wrongState(store, operation);
  // The alarm cancels the others in smaller steps.
  if (operation === "stop") cancelSome(store, at, CANCELLED_BY_STOP);
}

export function wrongState({ campaign }: CampaignStore, operation: Operation): ApiError {
  return conflict("wrong_state", `cannot ${operation} a campaign that is ${campaign.existing.status}`);
}

function assertExpected({ campaign }: CampaignStore, { revision, pending, contacts }: Expected): void {
  const { settings_revision, pending: waiting, contacts_revision } = campaign.existing;
  const isSame =
    (revision === null || revision === settings_revision) &&
    (pending === null || pending === waiting) &&
    (contacts === null || contacts === contacts_revision);
  if (!isSame)
    throw new ApiError(412, "changed_meanwhile", "the campaign has changed since you read it; read it again first");
}

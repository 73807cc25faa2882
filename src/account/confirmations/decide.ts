import type { AccountStore } from "../../kernel/db/account-store.ts";
import { accountGate } from "../../kernel/durable/objects.ts";
import type { Bindings, Principal } from "../../kernel/http/context.ts";
import { conflict, notFound } from "../../kernel/http/errors.ts";
import { requireScopes } from "../../kernel/http/require-scopes.ts";
import { Ledger } from "../../records/ledger/ledger.ts";
import type { Decision } from "../gate/confirmation-ledger.ts";
import type { Confirmation, ConfirmationStatus } from "../gate/confirmations.ts";
import { readConfirmation, shownTo } from "./show.ts";

interface Context {
  env: Pick<Bindings, "ACCOUNT_GATE" | "ACCOUNT_LEDGER">;
  store: AccountStore;
  principal: Principal;
}

/** The statuses in which a decision is no longer possible, with their messages. */
const LATE: Partial<Record<ConfirmationStatus, string>> = {
  taken: "the action was already carried out",
  expired: "the confirmation has expired: have the assistant ask again",
};

/**
 * Records a member's decision about an API key's act, after writing its audit entry.
 * @throws ApiError 403 if the member may not do such an act, 404, 409 if it is too late
 */
export async function decideConfirmation({ env, store, principal }: Context, id: string, decision: Decision) {
  const { account, subject } = principal;
  const before = await readConfirmation(env, account, id);
  requireScopes(principal, [before.scope]);
  assertOpen(before, decision);
  const action = decision === "approved" ? "approve" : "decline";
  await new Ledger({ env, store }).note(store.act({ action, resource: "confirmation", resource_id: id }));
  const after = await accountGate(env, account).decideConfirmation(id, decision, subject);
  if (!after) throw notFound("confirmation");
  assertOpen(after, decision);
  return shownTo(principal, after);
}

/** @throws ApiError 409 */
function assertOpen({ status }: Confirmation, decision: Decision): void {
  const why = LATE[status] ?? (status === "declined" && decision === "approved" ? "it was declined" : null);
  if (why !== null) throw conflict(`confirmation_${status}`, why);
}

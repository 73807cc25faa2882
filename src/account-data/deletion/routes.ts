import { OpenAPIHono } from "@hono/zod-openapi";
import { proveOwnFactor } from "../../account/second-factor/verbs.ts";
import type { DeletionRow } from "../../kernel/db/deletion-store.ts";
import { OPERATOR_ACCOUNT } from "../../kernel/db/schema/index.ts";
import { accountDeletion } from "../../kernel/durable/objects.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { conflict, invalidField, notFound } from "../../kernel/http/errors.ts";
import { serve } from "../../kernel/http/serve.ts";
import { DAY_MS } from "../../kernel/time.ts";
import * as contract from "./contract.ts";
import { STEP_NAMES } from "./steps/index.ts";

export const accountDeletions = new OpenAPIHono<AppEnv>();

serve(accountDeletions, contract.deleteAccount, async ({ c, env, operatorStore, params: { account }, body, now }) => {
  const { confirm, code, immediately } = body;
  const row = account === OPERATOR_ACCOUNT ? undefined : await operatorStore.account(account);
  if (!row) throw notFound("account");
  if (confirm !== account) {
    const message = "must be the account's name";
    throw invalidField("confirm", "wrong_confirmation", message, `confirm: ${message}`);
  }
  await proveOwnFactor(c, code);
  const begins = immediately ? now : now + contract.WAITING_DAYS * DAY_MS;
  const isScheduled = await operatorStore.scheduleDeletion(account, {
    requested_at: new Date(now).toISOString(),
    begins_at: new Date(begins).toISOString(),
    ifNeverOpened: immediately,
  });
  const deletion = await operatorStore.deletion(account);
  if (!deletion || deletion.status === "cancelled") {
    if (row.disabled_at === null) throw conflict("account_open", "the account is not disabled: disable it first");
    throw conflict(
      "was_open",
      "only an account that was never enabled can be deleted immediately: delete this one with the waiting period",
    );
  }
  // If this fails, a cron wakes the object.
  if (isScheduled) await accountDeletion(env, account).wake(begins);
  return describe(deletion);
});

serve(accountDeletions, contract.getAccountDeletion, async ({ operatorStore, params: { account } }) =>
  describe(found(await operatorStore.deletion(account))),
);

serve(accountDeletions, contract.cancelAccountDeletion, async ({ operatorStore, params: { account } }) => {
  const before = found(await operatorStore.deletion(account));
  // The gate of a deleted account must not be written to.
  if (before.status === "scheduled") await operatorStore.cancelDeletion(account);
  const deletion = found(await operatorStore.deletion(account));
  if (deletion.status !== "cancelled")
    throw conflict("deletion_begun", "the deletion has begun and can no longer be canceled");
  return describe(deletion);
});

function found(row: DeletionRow | undefined): DeletionRow {
  if (!row) throw notFound("deletion");
  return row;
}

function describe({ objects, files, rows, step, held_by, ...deletion }: DeletionRow) {
  const known = (name: string | null) => STEP_NAMES.find((one) => one === name) ?? null;
  const held = held_by.map((one) => ({
    step: known(one.step),
    object: one.object && `${one.object.binding} ${one.object.name}`.trim(),
    since: one.since,
  }));
  return Object.assign({}, deletion, { step: known(step), held_by: held, deleted: { objects, files, rows } });
}

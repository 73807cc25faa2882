import { OpenAPIHono } from "@hono/zod-openapi";
import type { AppEnv } from "../../kernel/http/context.ts";
import { idempotent, serve } from "../../kernel/http/serve.ts";
import * as contract from "./contract.ts";
import { decideConfirmation } from "./decide.ts";
import { readConfirmation, shownTo } from "./show.ts";

/** The routes for acts of API keys that a person must approve. */
export const confirmations = new OpenAPIHono<AppEnv>();

serve(confirmations, contract.getConfirmation, async ({ env, principal, params }) =>
  shownTo(principal, await readConfirmation(env, principal.account, params.id)),
);

serve(
  confirmations,
  contract.approveConfirmation,
  ({ env, store, principal, params }) => decideConfirmation({ env, store, principal }, params.id, "approved"),
  idempotent("approving twice has the same effect as once"),
);

serve(
  confirmations,
  contract.declineConfirmation,
  ({ env, store, principal, params }) => decideConfirmation({ env, store, principal }, params.id, "declined"),
  idempotent("declining twice has the same effect as once"),
);

import { OpenAPIHono } from "@hono/zod-openapi";
import { is, or, SQL, sql } from "drizzle-orm";
import { type AccountStore, subject } from "../../kernel/db/account-store.ts";
import { changedColumns } from "../../kernel/db/audit-changes.ts";
import { signInPolicies } from "../../kernel/db/schema/index.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { serve } from "../../kernel/http/serve.ts";
import * as contract from "./contract.ts";
import { DEFAULT_SIGN_IN_POLICY } from "./policy.ts";

export const signInPolicy = new OpenAPIHono<AppEnv>();

serve(signInPolicy, contract.getSignInPolicy, ({ store }) => readPolicy(store));

serve(signInPolicy, contract.updateSignInPolicy, async ({ store, body }) => {
  const changes = changedColumns(signInPolicies, body);
  if (Object.keys(changes).length === 0) return readPolicy(store);
  // Sending the current values changes nothing, so it ends no session and leaves no audit entry.
  const differs = or(...Object.values(changes).filter((change) => is(change, SQL))) ?? sql`false`;
  const [, , row] = await store.write(
    { action: "update", resource: "sign_in_policy", resource_id: store.account, changes },
    store.insertNew(signInPolicies, DEFAULT_SIGN_IN_POLICY),
    subject(store.update(signInPolicies, body, differs)),
    store.first(signInPolicies),
  );
  return row ?? DEFAULT_SIGN_IN_POLICY;
});

async function readPolicy(store: AccountStore) {
  const [row] = await store.read(store.first(signInPolicies));
  return row ?? DEFAULT_SIGN_IN_POLICY;
}

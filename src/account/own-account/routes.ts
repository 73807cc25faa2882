import { OpenAPIHono } from "@hono/zod-openapi";
import { is, or, SQL, sql } from "drizzle-orm";
import { AccountClosedError, type AccountStore } from "../../kernel/db/account-store.ts";
import { changedColumns } from "../../kernel/db/audit-changes.ts";
import type { OwnAccount } from "../../kernel/db/own-account.ts";
import { accounts } from "../../kernel/db/schema/index.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { changedMeanwhile } from "../../kernel/http/if-match.ts";
import { serve } from "../../kernel/http/serve.ts";
import * as contract from "./contract.ts";

export const ownAccount = new OpenAPIHono<AppEnv>();

serve(ownAccount, contract.getOwnAccount, ({ store }) => readAccount(store));

serve(ownAccount, contract.updateOwnAccount, async ({ store, body, ifMatch }) => {
  const changes = changedColumns(accounts, body);
  // Writing the current values changes nothing.
  const differs = or(...Object.values(changes).filter((change) => is(change, SQL))) ?? sql`false`;
  const [[changed], row] = await store.write(
    { action: "update", resource: "account", resource_id: store.account, changes },
    store.reviseAccount(body, differs, ifMatch),
    store.ownAccount(),
  );
  const found = existing(row);
  if (!changed && ifMatch !== null && found.revision !== ifMatch) throw await changedMeanwhile(store, "account", found);
  return found;
});

async function readAccount(store: AccountStore): Promise<OwnAccount> {
  const [row] = await store.read(store.ownAccount());
  return existing(row);
}

/** @throws AccountClosedError if the account was deleted in the meantime */
function existing(row: OwnAccount | undefined): OwnAccount {
  if (!row) throw new AccountClosedError("unknown");
  return row;
}

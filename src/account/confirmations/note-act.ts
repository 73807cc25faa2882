import type { AccountStore } from "../../kernel/db/account-store.ts";
import { Ledger } from "../../records/ledger/ledger.ts";

interface Context {
  env: Pick<Env, "ACCOUNT_LEDGER">;
  store: AccountStore;
}

/**
 * Writes the audit entry of an act that an assistant requested through a tool, on the resource `on`. It must be called
 * before the act.
 */
export async function noteAct({ env, store }: Context, tool: string, on: string): Promise<void> {
  await new Ledger({ env, store }).note(store.act({ action: tool, resource: "mcp", resource_id: on }));
}

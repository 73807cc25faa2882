import type { AccountStore } from "../../kernel/db/account-store.ts";
import { integrationInstalls } from "../../kernel/db/schema/index.ts";
import { requireScopes } from "../../kernel/http/require-scopes.ts";
import type { Authority } from "../../kernel/scopes.ts";
import type { Installed } from "../integrations/readiness.ts";
import { namesIntegration } from "../versions/may-change.ts";

/** Requires `connect` for a tool that uses an integration's params or secrets. @throws ApiError 403 */
export function assertMayName(caller: Authority, implementation_config: Record<string, unknown>): void {
  if (namesIntegration({ implementation_config })) requireScopes(caller, ["connect"]);
}

export async function installsOf(store: AccountStore): Promise<Installed[]> {
  const columns = ["id", "installed_at", "params", "secret_names"] as const;
  const [installs] = await store.read(store.select(integrationInstalls, { columns: [...columns] }));
  return installs;
}

import { env } from "cloudflare:workers";
import { CATALOG } from "../../../src/agent/catalog/index.ts";
import type { CatalogTool } from "../../../src/agent/catalog/types.ts";
import { type Install, runHttpTool } from "../../../src/agent/tools/run/run-tool.ts";
import { integrationInstalls } from "../../../src/kernel/db/schema/index.ts";
import { accountStore } from "../../../src/kernel/durable/account-stores.ts";
import { tenant } from "../../support/client.ts";

/** The stored values of each integration. */
export type Stored = Record<string, Record<string, string>>;

export interface Installed {
  account: string;
  installs: Install[];
}

/** Creates an account with these integrations. It separates params and secrets as the catalogue does. */
export async function accountWith(stored: Stored): Promise<Installed> {
  const { server, account } = await tenant();
  for (const [name, fields] of Object.entries(stored)) {
    const integration = CATALOG.integrations.find((one) => one.name === name);
    const secretNames = new Set(integration?.secrets.map((secret) => secret.name));
    const { secrets = [], params = [] } = Object.groupBy(Object.entries(fields), ([field]) =>
      secretNames.has(field) ? "secrets" : "params",
    );
    const body = { params: Object.fromEntries(params), secrets: Object.fromEntries(secrets) };
    await server.post(`/api/v1/integrations/${name}/install`, body);
  }
  const store = accountStore(env, account, { actor: "test", request_id: "" });
  const [installs] = await store.read(store.select(integrationInstalls));
  return { account, installs };
}

/** Runs a shipped tool with its account's values in the test's own network. */
export function runTool(tool: CatalogTool, args: unknown, { account, installs }: Installed, network: typeof fetch) {
  const row = Object.assign({ bind: null, effect: null }, tool);
  return runHttpTool({ env, account, now: Date.now, fetch: network }, row, installs, args);
}

export function shippedTool(name: string): CatalogTool {
  const found = CATALOG.tools.find((tool) => tool.name === name);
  if (!found) throw new TypeError(`no tool ${name}`);
  return found;
}

import { OpenAPIHono } from "@hono/zod-openapi";
import { eq } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { OF_DEFAULTS } from "../../kernel/db/revision.ts";
import { integrationInstalls } from "../../kernel/db/schema/index.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { idempotent, serve } from "../../kernel/http/serve.ts";
import { CATALOG } from "../catalog/index.ts";
import type { CatalogField, CatalogIntegration } from "../catalog/types.ts";
import { runHttpTool } from "../tools/run/run-tool.ts";
import * as contract from "./contract.ts";
import { shownHosts } from "./hosts.ts";
import { auditedAs, install } from "./install.ts";
import { readinessOf } from "./readiness.ts";
import { verify } from "./verify.ts";

export const integrations = new OpenAPIHono<AppEnv>();

type Install = typeof integrationInstalls.$inferSelect;

serve(integrations, contract.listIntegrations, async ({ store, query: { category, status } }) => {
  const [installs] = await store.read(store.select(integrationInstalls));
  const byId = new Map(installs.map((install) => [install.id, install]));
  const all = CATALOG.integrations
    .map((integration) => projectIntegration(integration, byId.get(integration.id)))
    .filter((integration) => status === undefined || integration.status === status);
  const found = all.filter((integration) => category === undefined || integration.category === category);
  const groups = Map.groupBy(all, (integration) => integration.category);
  return {
    integrations: found,
    total: found.length,
    categories: Object.fromEntries([...groups].map(([name, { length }]) => [name, length])),
  };
});

serve(integrations, contract.getIntegration, async ({ store, params }) => {
  const integration = catalogIntegration(params.id);
  return projectIntegration(integration, await installOf(store, integration.id));
});

serve(
  integrations,
  contract.installIntegration,
  async ({ env, store, principal, params, body, now, ifMatch }) => {
    const integration = catalogIntegration(params.id);
    return projectIntegration(
      integration,
      await install({ env, store, caller: principal, now, ifMatch }, integration, body ?? {}),
    );
  },
  idempotent("the same values are set again"),
);

serve(
  integrations,
  contract.uninstallIntegration,
  async ({ store, params, now }) => {
    const integration = catalogIntegration(params.id);
    const [[install]] = await store.write(
      { action: "uninstall", ...auditedAs(integration) },
      // Uninstalling increases the revision, so that a form opened before it cannot install the integration again.
      store.revise(
        integrationInstalls,
        { installed_at: null, updated_at: new Date(now).toISOString() },
        eq(integrationInstalls.id, integration.id),
        null,
      ),
    );
    return projectIntegration(integration, install);
  },
  idempotent("an integration that is not installed stays uninstalled"),
);

serve(
  integrations,
  contract.verifyIntegration,
  async ({ env, store, params }) => {
    const integration = catalogIntegration(params.id);
    const row = await installOf(store, integration.id);
    const { account } = store;
    const context = { env, account, now: Date.now, fetch: (...args: Parameters<typeof fetch>) => fetch(...args) };
    return verify(integration, row, (tool) => runHttpTool(context, tool, row ? [row] : [], {}, {}));
  },
  idempotent("its request has no side effects"),
);

serve(integrations, contract.listMcpConnections, () => []);
serve(integrations, contract.listNativeTools, () => []);

function catalogIntegration(idOrName: string): CatalogIntegration {
  const id = idOrName.toLowerCase();
  const found = CATALOG.integrations.find((integration) => integration.id === id || integration.name === idOrName);
  if (!found) throw notFound("integration");
  return found;
}

async function installOf(store: AccountStore, id: string): Promise<Install | undefined> {
  const [install] = await store.read(store.first(integrationInstalls, { where: eq(integrationInstalls.id, id) }));
  return install;
}

function projectIntegration(integration: CatalogIntegration, install: Install | undefined) {
  const { id, name, display_name, description, category, auth, params, secrets, any_secrets = false } = integration;
  const installedAt = install?.installed_at ?? null;
  const { ready, missing, reason } = readinessOf(integration, install);
  return {
    id,
    name,
    display_name,
    description,
    category,
    auth,
    status: installedAt === null ? ("available" as const) : ("installed" as const),
    installed_at: installedAt,
    params: install?.params ?? {},
    secret_names: install?.secret_names ?? [],
    hosts: shownHosts(integration, install?.params ?? {}),
    asks_for: { params: params.map(requestedField), secrets: secrets.map(requestedField) },
    any_secrets,
    ready,
    missing,
    reason,
    revision: install?.revision ?? OF_DEFAULTS,
  };
}

function requestedField({ name, label, required, description, host }: CatalogField) {
  return { name, label, required, description, decides_host: host !== undefined };
}

import { OpenAPIHono } from "@hono/zod-openapi";
import { desc, eq } from "drizzle-orm";
import { v7 as uuidv7 } from "uuid";
import type { Provider } from "../carriers/carrier.ts";
import { carrierKind } from "../carriers/index.ts";
import { agents, phoneNumbers, telephonyProviders } from "../db/schema/index.ts";
import type { AppEnv } from "../http/context.ts";
import { firstIssue, serve } from "../http/endpoint.ts";
import { conflict, invalid, notFound } from "../http/errors.ts";
import { Vault } from "../secrets/vault.ts";
import * as contract from "./contract.ts";
import { connectCarrier, credentialsContext } from "./line.ts";

export const telephony = new OpenAPIHono<AppEnv>();

serve(telephony, contract.listNumbers, async ({ store, query }) => {
  const where = query.agent_id === undefined ? undefined : eq(phoneNumbers.agent_id, query.agent_id);
  const [rows] = await store.read(
    store.select(phoneNumbers, { where, orderBy: [desc(phoneNumbers.created_at), desc(phoneNumbers.id)] }),
  );
  return { numbers: rows.map(numberView), total: rows.length };
});

serve(telephony, contract.createNumber, async ({ store, body, now }) => {
  const { e164, credentials_id = null, agent_id = null, inbound_enabled, outbound_enabled } = body;
  const [[taken], [credentials], [agent]] = await store.read(
    store.select(phoneNumbers, { where: eq(phoneNumbers.e164, e164), columns: ["id"] }),
    store.select(telephonyProviders, { where: eq(telephonyProviders.id, credentials_id ?? "") }),
    store.select(agents, { where: eq(agents.id, agent_id ?? ""), columns: ["id"] }),
  );
  if (taken) throw invalid("the number is registered already", "duplicate_number");
  if (credentials_id !== null && !credentials)
    throw invalid("credentials_id: there are no such credentials", "unknown_reference");
  if (agent_id !== null && !agent) throw invalid("agent_id: there is no such agent", "unknown_reference");
  const provider = (body.provider ?? credentials?.provider) as Provider | undefined;
  if (!provider) throw invalid("provider or credentials_id is required");
  if (credentials && credentials.provider !== provider)
    throw invalid(`provider: the credentials are for ${credentials.provider}`);
  if (!credentials && provider !== "sandbox") throw invalid(`credentials_id is required for ${provider}`);
  const id = uuidv7({ msecs: now });
  const at = new Date(now).toISOString();
  const row = {
    id,
    e164,
    provider,
    credentials_id,
    agent_id,
    inbound_enabled,
    outbound_enabled,
    created_at: at,
    updated_at: at,
  };
  await store.write({ action: "create", resource: "phone_number", resource_id: id }, store.insert(phoneNumbers, row));
  return row;
});

serve(telephony, contract.updateNumber, async ({ store, params, body, now }) => {
  if (body.agent_id !== null) {
    const [[agent]] = await store.read(store.select(agents, { where: eq(agents.id, body.agent_id), columns: ["id"] }));
    if (!agent) throw invalid("agent_id: there is no such agent", "unknown_reference");
  }
  const [changed] = await store.write(
    { action: "update", resource: "phone_number", resource_id: params.id },
    store.update(
      phoneNumbers,
      { agent_id: body.agent_id, updated_at: new Date(now).toISOString() },
      eq(phoneNumbers.id, params.id),
    ),
  );
  if (changed.length === 0) throw notFound("phone number");
});

serve(telephony, contract.deleteNumber, async ({ store, params }) => {
  const [gone] = await store.write(
    { action: "delete", resource: "phone_number", resource_id: params.id },
    store.delete(phoneNumbers, eq(phoneNumbers.id, params.id)),
  );
  if (gone.length === 0) throw notFound("phone number");
});

serve(telephony, contract.listProviders, async ({ store }) => {
  const [rows] = await store.read(
    store.select(telephonyProviders, {
      columns: ["id", "provider", "label", "credential_keys", "created_at"],
      orderBy: [desc(telephonyProviders.created_at), desc(telephonyProviders.id)],
    }),
  );
  return { providers: rows.map((row) => ({ ...row, provider: row.provider as Provider })), total: rows.length };
});

serve(telephony, contract.createProvider, async ({ env, store, body, now }) => {
  const { provider, label } = body;
  const parsed = carrierKind(provider)?.credentials.safeParse(body.credentials);
  if (!parsed) throw invalid(`provider: ${provider} is not available`);
  if (!parsed.success) throw invalid(`credentials.${firstIssue(parsed.error)}`);
  const id = uuidv7({ msecs: now });
  const credentials = await new Vault(env.ENCRYPTION_KEYS).seal(parsed.data, credentialsContext(store.account, id));
  const metadata = {
    ...{ id, provider, label: label ?? provider, created_at: new Date(now).toISOString() },
    credential_keys: Object.keys(parsed.data as object),
  };
  await store.write(
    { action: "create", resource: "telephony_provider", resource_id: id },
    store.insert(telephonyProviders, { ...metadata, credentials }),
  );
  return metadata;
});

serve(telephony, contract.deleteProvider, async ({ store, params }) => {
  const isIt = eq(telephonyProviders.id, params.id);
  const [[row], [used]] = await store.read(
    store.select(telephonyProviders, { where: isIt, columns: ["id"] }),
    store.count(phoneNumbers, eq(phoneNumbers.credentials_id, params.id)),
  );
  if (!row) throw notFound("credentials");
  if (used && used.n > 0)
    throw conflict("credentials_in_use", "a phone number still uses these credentials; remove it first");
  await store.write(
    { action: "delete", resource: "telephony_provider", resource_id: params.id },
    store.delete(telephonyProviders, isIt),
  );
});

serve(telephony, contract.verifyProvider, async ({ env, store, params }) => {
  const [[row]] = await store.read(store.select(telephonyProviders, { where: eq(telephonyProviders.id, params.id) }));
  if (!row) throw notFound("credentials");
  return (await connectCarrier(env, store.account, row.provider as Provider, row)).verifyCredentials();
});

function numberView(row: typeof phoneNumbers.$inferSelect) {
  return { ...row, provider: row.provider as Provider };
}

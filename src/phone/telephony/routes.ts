import { OpenAPIHono } from "@hono/zod-openapi";
import { desc, eq, isNull, not, sql } from "drizzle-orm";
import { changedColumns } from "../../kernel/db/audit-changes.ts";
import { all } from "../../kernel/db/conditions.ts";
import { agents, phoneNumbers, telephonyProviders } from "../../kernel/db/schema/index.ts";
import { credentialsContext } from "../../kernel/db/seal-contexts.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { conflict, invalidField, notFound } from "../../kernel/http/errors.ts";
import { whyUnchanged } from "../../kernel/http/if-match.ts";
import { fieldErrors, invalidFields } from "../../kernel/http/issues.ts";
import { tagAnswer } from "../../kernel/http/respond.ts";
import { idempotent, serve } from "../../kernel/http/serve.ts";
import { Vault } from "../../kernel/secrets/vault.ts";
import type { Provider } from "../carriers/carrier.ts";
import { carrierKind } from "../carriers/index.ts";
import * as carrierContract from "./carrier-contract.ts";
import { checkNumber } from "./check-number.ts";
import * as contract from "./contract.ts";
import { createNumber } from "./create-number.ts";
import { connectCarrier, credentialsInUse } from "./line.ts";
import { listCarrierNumbers } from "./list-carrier-numbers.ts";
import { agentsOf, findNumber, projectNumber } from "./number-projection.ts";

export const telephony = new OpenAPIHono<AppEnv>();

serve(telephony, contract.listNumbers, async ({ store, inService, query }) => {
  const where = query.agent_id === undefined ? undefined : eq(phoneNumbers.agent_id, query.agent_id);
  const [rows, inServiceOf] = await store.read(
    store.select(phoneNumbers, { where, orderBy: [desc(phoneNumbers.created_at), desc(phoneNumbers.id)] }),
    inService(agentsOf(store, where)),
  );
  return { numbers: rows.map((row) => projectNumber(row, inServiceOf)), total: rows.length };
});

serve(
  telephony,
  contract.createNumber,
  ({ store, inService, body, now, newId }) => createNumber({ store, inService, now, newId }, body),
  ({ store, inService }, id) => findNumber(store, inService, id),
);

serve(telephony, contract.getNumber, async ({ store, inService, params }) => {
  const number = await findNumber(store, inService, params.id);
  if (!number) throw notFound("phone number");
  return number;
});

serve(telephony, contract.updateNumber, async ({ c, store, inService, params, body: { agent_id }, now, ifMatch }) => {
  const isIt = eq(phoneNumbers.id, params.id);
  const isAgent = eq(agents.id, agent_id ?? "");
  const hasAgent = sql`EXISTS (SELECT 1 FROM ${agents} WHERE ${agents.account} = ${store.account} AND ${isAgent})`;
  const [[changed], agent, inServiceOf] = await store.write(
    {
      action: "update",
      resource: "phone_number",
      resource_id: params.id,
      changes: changedColumns(phoneNumbers, { agent_id }),
    },
    store.reviseIfOther(
      phoneNumbers,
      { agent_id },
      { updated_at: new Date(now).toISOString() },
      all(isIt, agent_id === null ? undefined : hasAgent),
      ifMatch,
    ),
    store.first(agents, { where: isAgent, columns: ["id"] }),
    inService(agentsOf(store, isIt)),
  );
  if (changed) return tagAnswer(c, contract.number, projectNumber(changed, inServiceOf));
  const why = await whyUnchanged(store, phoneNumbers, isIt, "phone number");
  throw why.status === 412 && agent_id !== null && !agent ? notFound("agent", "agent_id") : why;
});

serve(telephony, contract.deleteNumber, async ({ store, params }) => {
  const [deleted] = await store.write(
    { action: "delete", resource: "phone_number", resource_id: params.id },
    store.delete(phoneNumbers, eq(phoneNumbers.id, params.id)),
  );
  if (deleted.length === 0) throw notFound("phone number");
});

serve(
  telephony,
  carrierContract.checkNumber,
  ({ c, env, store, params, query, now }) =>
    checkNumber({ env, store, arrivedAt: new URL(c.req.url).host, now }, params.id, query.fix === "inbound"),
  idempotent("it only reads, or sets the same address again"),
);

serve(telephony, contract.listProviders, async ({ store }) => {
  const [rows] = await store.read(
    store.select(telephonyProviders, {
      where: isNull(telephonyProviders.deleted_at),
      columns: ["id", "provider", "label", "credential_keys", "created_at"],
      orderBy: [desc(telephonyProviders.created_at), desc(telephonyProviders.id)],
    }),
  );
  return { providers: rows.map((row) => ({ ...row, provider: row.provider as Provider })), total: rows.length };
});

serve(
  telephony,
  contract.createProvider,
  async ({ env, store, body, now, newId }) => {
    const { provider, label } = body;
    const parsed = carrierKind(provider)?.credentials.safeParse(body.credentials);
    if (!parsed) throw invalidField("provider", "invalid_request", `${provider} is not available`);
    if (!parsed.success) throw invalidFields(fieldErrors(parsed.error, body.credentials, ["credentials"]));
    const id = newId();
    const credentials = await new Vault(env.ENCRYPTION_KEYS).seal(parsed.data, credentialsContext(store.account, id));
    const metadata = {
      id,
      provider,
      label: label ?? provider,
      created_at: new Date(now).toISOString(),
      credential_keys: Object.keys(parsed.data as object),
    };
    await store.write(
      { action: "create", resource: "telephony_provider", resource_id: id },
      store.insert(telephonyProviders, { ...metadata, credentials }),
    );
    return metadata;
  },
  async ({ store }, id) => {
    const [row] = await store.read(store.first(telephonyProviders, { where: credentialsInUse(id) }));
    return row ? { ...row, provider: row.provider as Provider } : null;
  },
);

serve(telephony, contract.deleteProvider, async ({ store, params, now }) => {
  const isIt = credentialsInUse(params.id);
  // The check and the deletion are one statement, because a number may start using the credentials at this moment.
  const used = sql`EXISTS (SELECT 1 FROM phone_numbers WHERE account = ${store.account} AND credentials_id = ${params.id})`;
  const [deleted] = await store.write(
    { action: "delete", resource: "telephony_provider", resource_id: params.id },
    store.update(telephonyProviders, { deleted_at: new Date(now).toISOString() }, all(isIt, not(used))),
  );
  if (deleted.length > 0) return;
  const [row] = await store.read(store.first(telephonyProviders, { where: isIt, columns: ["id"] }));
  if (!row) throw notFound("credentials");
  throw conflict("credentials_in_use", "a phone number still uses these credentials; remove it first");
});

serve(
  telephony,
  contract.verifyProvider,
  async ({ env, store, params }) => {
    const [row] = await store.read(store.first(telephonyProviders, { where: credentialsInUse(params.id) }));
    if (!row) throw notFound("credentials");
    const carrier = await connectCarrier(env, store.account, row.provider as Provider, row);
    return carrier.verifyCredentials();
  },
  idempotent("it only reads"),
);

serve(
  telephony,
  carrierContract.listCarrierNumbers,
  ({ env, store, params }) => listCarrierNumbers({ env, store }, params.id),
  idempotent("it only reads"),
);

import { eq, type SQL, sql } from "drizzle-orm";
import type { z } from "zod";
import { type AccountStore, ReferenceViolation, UniqueViolation } from "../../kernel/db/account-store.ts";
import { agents, phoneNumbers, telephonyProviders } from "../../kernel/db/schema/index.ts";
import { invalidField } from "../../kernel/http/errors.ts";
import type { InServiceRead } from "../../kernel/http/in-service.ts";
import type { Provider } from "../carriers/carrier.ts";
import type { newNumber } from "./contract.ts";
import { credentialsInUse } from "./line.ts";
import { agentsOf, projectNumber } from "./number-projection.ts";

interface Context {
  store: AccountStore;
  inService: InServiceRead;
  /** ms */
  now: number;
  newId: () => string;
}

/** Registers a number with its credentials and agent. @throws ApiError 400 with the invalid fields */
export async function createNumber(
  { store, inService, now, newId }: Context,
  { e164, provider: named, credentials_id = null, agent_id = null, ...enabled }: z.output<typeof newNumber>,
) {
  const [taken, credentials, agent] = await store.read(
    store.first(phoneNumbers, { where: eq(phoneNumbers.e164, e164), columns: ["id"] }),
    store.first(telephonyProviders, { where: credentialsInUse(credentials_id ?? "") }),
    store.first(agents, { where: eq(agents.id, agent_id ?? ""), columns: ["id"] }),
  );
  if (taken)
    throw invalidField("e164", "duplicate_number", "is already registered", "the number is already registered");
  if (credentials_id !== null && !credentials)
    throw invalidField("credentials_id", "unknown_reference", "no such credentials");
  if (agent_id !== null && !agent) throw invalidField("agent_id", "unknown_reference", "no such agent");
  const provider = (named ?? credentials?.provider) as Provider | undefined;
  if (!provider)
    throw invalidField(
      "provider",
      "invalid_request",
      "is required without credentials_id",
      "provider or credentials_id is required",
    );
  if (credentials && credentials.provider !== provider)
    throw invalidField("provider", "invalid_request", `the credentials are for ${credentials.provider}`);
  if (!credentials && provider !== "sandbox")
    throw invalidField("credentials_id", "invalid_request", `is required for ${provider}`);
  const id = newId();
  const created_at = new Date(now).toISOString();
  const unchecked = { last_check: null, created_at, updated_at: created_at };
  const row = { ...enabled, ...unchecked, id, e164, provider, credentials_id, agent_id };
  const entry = { action: "create", resource: "phone_number", resource_id: id } as const;
  const [created, inServiceOf] = await store.write(
    entry,
    store.insertIf(phoneNumbers, row, hasCredentials(store, credentials_id)),
    inService(agentsOf(store, eq(phoneNumbers.id, id))),
  );
  if (created.length === 0) throw await whyNotCreated(store, e164);
  return projectNumber(row, inServiceOf);
}

/**
 * Returns why no row was inserted: another request registered the number, or the credentials were deleted in the
 * meantime.
 */
async function whyNotCreated(store: AccountStore, e164: string): Promise<UniqueViolation | ReferenceViolation> {
  const [taken] = await store.read(store.first(phoneNumbers, { where: eq(phoneNumbers.e164, e164), columns: ["id"] }));
  return taken
    ? new UniqueViolation("the number is already registered")
    : new ReferenceViolation("the credentials were deleted");
}

/**
 * Returns the condition that the credentials exist. It is checked in the write. A foreign key would not refuse deleted
 * credentials, because they keep their row for their calls.
 */
function hasCredentials({ account }: AccountStore, id: string | null): SQL {
  if (id === null) return sql`true`;
  return sql`EXISTS (SELECT 1 FROM telephony_providers WHERE account = ${account} AND id = ${id} AND deleted_at IS NULL)`;
}

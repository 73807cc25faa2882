import { z } from "@hono/zod-openapi";
import { PROVIDERS } from "../carriers/carrier.ts";
import { endpoint } from "../http/endpoint.ts";
import { e164, jsonObject, label, timestamp, uuid } from "../http/fields.ts";
import { listOf } from "../http/paging.ts";

const provider = z.enum(PROVIDERS);

const number = z
  .object({
    id: uuid,
    e164: z.string(),
    provider,
    credentials_id: uuid.nullable(),
    agent_id: uuid.nullable(),
    inbound_enabled: z.boolean(),
    outbound_enabled: z.boolean(),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .openapi("PhoneNumber");

const credential = z
  .object({
    id: uuid,
    provider,
    label: z.string(),
    credential_keys: z.array(z.string()).openapi({ description: "The names of what is stored; never the values." }),
    created_at: timestamp,
  })
  .openapi("TelephonyProvider");

const slice = { access: "account", tag: "Telephony" } as const;
const params = z.object({ id: uuid });
/** The id of another row, which the handler looks up; "" means none. */
const reference = z
  .string()
  .nullable()
  .transform((id) => id || null);

export const listNumbers = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/telephony/numbers",
  operationId: "listPhoneNumbers",
  summary: "List the account's phone numbers, newest first",
  description: "Each with its carrier, and the agent that answers it, if one does.",
  query: z.object({ agent_id: z.string().optional() }),
  kept: true,
  status: 200,
  response: listOf("numbers", number),
});

/** A number as it is registered. */
export const newNumber = z.object({
  e164,
  provider: provider.optional(),
  credentials_id: reference.optional(),
  agent_id: reference.optional(),
  inbound_enabled: z.boolean().default(true),
  outbound_enabled: z.boolean().default(true),
});

export const createNumber = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/telephony/numbers",
  operationId: "createPhoneNumber",
  summary: "Register a phone number",
  description:
    "A number can be registered once in an account. `provider` is the credentials' if left out; only the sandbox needs no credentials.",
  body: newNumber,
  status: 201,
  response: number,
});

export const updateNumber = endpoint({
  ...slice,
  method: "patch",
  path: "/api/v1/telephony/numbers/{id}",
  operationId: "updatePhoneNumber",
  summary: "Pin a number to an agent, or unpin it with null",
  description: "The agent answers calls to the number from the next one on.",
  params,
  body: z.object({ agent_id: reference }),
  status: 204,
  errors: { 404: "unknown number or agent" },
});

export const deleteNumber = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/telephony/numbers/{id}",
  operationId: "deletePhoneNumber",
  summary: "Remove a phone number",
  description: "It can no longer be called from; nothing changes at the carrier.",
  params,
  status: 204,
  errors: { 404: "unknown number" },
});

export const listProviders = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/telephony/providers",
  operationId: "listTelephonyProviders",
  summary: "List carrier credentials; their metadata only",
  description: "Which carriers there are credentials for, and which fields are stored, never their values.",
  kept: true,
  status: 200,
  response: listOf("providers", credential),
});

export const createProvider = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/telephony/providers",
  operationId: "createTelephonyProvider",
  summary: "Store carrier credentials, encrypted",
  description:
    "Which fields `credentials` has depends on the carrier; what is missing or too much is named. They are never given back.",
  body: z.object({ provider, label: label.optional(), credentials: jsonObject }),
  status: 201,
  response: credential,
  errors: { 503: "encryption is not available" },
});

export const deleteProvider = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/telephony/providers/{id}",
  operationId: "deleteTelephonyProvider",
  summary: "Remove carrier credentials that no number uses",
  description:
    "Remove the numbers that go by them first. They are gone for everything new; sealed, they are kept for two days more, " +
    "for the calls that still go by them and their recordings.",
  params,
  status: 204,
  errors: { 404: "unknown credentials", 409: "a phone number still uses them" },
});

export const verifyProvider = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/telephony/providers/{id}/verify",
  operationId: "verifyTelephonyProvider",
  summary: "Try the credentials at the carrier",
  description:
    "Makes one harmless request there. Credentials that do not work are an answer, not an error: `ok` is false and `detail` says why.",
  params,
  status: 200,
  response: z.object({ ok: z.boolean(), detail: z.string() }),
  errors: { 404: "unknown credentials", 503: "encryption is not available" },
});

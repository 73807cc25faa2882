import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { createdAt, enteredNumber, jsonObject, label, timestamp } from "../../kernel/http/fields.ts";
import { inService } from "../../kernel/http/in-service.ts";
import { named } from "../../kernel/http/named-schemas.ts";
import { listOf } from "../../kernel/http/paging.ts";
import { PROVIDERS } from "../carriers/carrier.ts";

export const E164 = "+12025550100";

const provider = z.enum(PROVIDERS).openapi({
  description: "The carrier; `sandbox` is the built-in one, which calls no real number and costs nothing.",
  example: "twilio",
});

/** The parts of a number's check. */
export const CHECKS = ["owned", "webhook_reachable", "inbound_address", "runtime_reachable"] as const;
export const checkName = z.enum(CHECKS);

const lastCheck = named(
  "LastNumberCheck",
  "The last result of checkPhoneNumber, kept so that the carrier need not be asked again.",
  z.object({
    at: timestamp.openapi({ description: "When the check was made (UTC). The result may have changed since." }),
    ok: z.boolean().openapi({ description: "Whether all checks passed.", example: false }),
    failed: z.array(checkName).openapi({
      description: "The names of the checks that failed, in the order of checkPhoneNumber; empty if `ok`.",
      example: ["inbound_address"],
    }),
  }),
);

export const number = z
  .object({
    id: idOf("number", "The number's id here, by which it is changed and removed."),
    e164: z.string().openapi({ description: "The number in E.164: a plus and 7 to 15 digits.", example: E164 }),
    provider,
    credentials_id: idOf(
      "credentials",
      "The credentials used with its carrier; null for the sandbox, which needs none.",
    ).nullable(),
    agent_id: idOf(
      "agent",
      "The agent that answers calls to the number; null if there is none, and callers are rejected.",
    ).nullable(),
    in_service: inService.nullable().openapi({
      description:
        "Where its agent is in service; `phone` and `campaigns` consider only this number. Null without an agent.",
    }),
    inbound_enabled: z.boolean().openapi({ description: "Whether calls to the number are answered.", example: true }),
    outbound_enabled: z.boolean().openapi({ description: "Whether calls may be placed from it.", example: true }),
    last_check: lastCheck.nullable().openapi({
      description: "The result of its last check; null if it was never checked.",
      example: { at: "2026-11-21T09:30:00.000Z", ok: false, failed: ["inbound_address"] },
    }),
    created_at: createdAt,
    updated_at: timestamp.openapi({
      description: "When it was last pinned or unpinned (UTC); initially, when it was registered.",
    }),
  })
  .openapi("PhoneNumber");

const credential = z
  .object({
    id: idOf("credentials", "The id of the credentials, which numbers refer to as `credentials_id`."),
    provider,
    label: z.string().openapi({
      description: "Their label; the carrier's name if none was given.",
      example: "Main account",
    }),
    credential_keys: z.array(z.string()).openapi({
      description: "The names of the stored fields; never the values.",
      example: ["account_sid", "auth_token"],
    }),
    created_at: createdAt,
  })
  .openapi("TelephonyProvider");

export const slice = { access: "account", tag: "Telephony" } as const;
export const numberParams = z.object({ id: idOf("number", "The number's id, as listPhoneNumbers gives it.") });
export const providerParams = z.object({
  id: idOf("credentials", "The id of the credentials, as listTelephonyProviders gives it."),
});
/** The id of another resource, which the handler looks up; "" for none. */
const reference = z
  .string()
  .toLowerCase()
  .nullable()
  .transform((id) => id || null);

export const listNumbers = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/telephony/numbers",
  scope: ["read"],
  operationId: "listPhoneNumbers",
  summary: "List the account's phone numbers, newest first",
  description: "Returns each number with its carrier and the agent that answers, if any.",
  query: z.object({
    agent_id: z
      .string()
      .toLowerCase()
      .optional()
      .openapi({ description: "Only numbers that are pinned to the agent with this id.", example: EXAMPLE_IDS.agent }),
  }),
  kept: true,
  status: 200,
  response: listOf("numbers", number),
});

export const newNumber = z
  .object({
    e164: enteredNumber.openapi({
      description: "The number with its country code, one that the carrier account has; stored as E.164.",
      example: E164,
    }),
    provider: provider.optional().openapi({
      description: "The carrier. Default: the carrier of the credentials. One of the two is required.",
      example: "twilio",
    }),
    credentials_id: reference.optional().openapi({
      description: "The id of the credentials to use with the carrier; required for all carriers except the sandbox.",
      example: EXAMPLE_IDS.credentials,
    }),
    agent_id: reference.optional().openapi({
      description: "The id of the agent that answers calls to the number; null, empty or left out for none.",
      example: EXAMPLE_IDS.agent,
    }),
    inbound_enabled: z
      .boolean()
      .default(true)
      .openapi({ description: "Whether calls to the number are answered.", example: true }),
    outbound_enabled: z
      .boolean()
      .default(true)
      .openapi({ description: "Whether calls may be placed from it.", example: true }),
  })
  .openapi({
    example: {
      e164: E164,
      provider: "sandbox",
      agent_id: EXAMPLE_IDS.agent,
      inbound_enabled: true,
      outbound_enabled: true,
    },
  });

export const createNumber = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/telephony/numbers",
  scope: ["connect"],
  operationId: "createPhoneNumber",
  summary: "Register a phone number",
  description:
    "A number can be registered once in an account. `provider` is the credentials' if left out; only the sandbox needs no credentials.",
  body: newNumber,
  status: 201,
  response: number,
});

export const getNumber = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/telephony/numbers/{id}",
  scope: ["read"],
  operationId: "getPhoneNumber",
  summary: "Get a phone number",
  description: "The number with its carrier, and the agent that answers it, if one does.",
  params: numberParams,
  kept: true,
  revised: true,
  status: 200,
  response: number,
  errors: { 404: "unknown number" },
});

export const updateNumber = endpoint({
  ...slice,
  method: "patch",
  path: "/api/v1/telephony/numbers/{id}",
  scope: ["connect"],
  operationId: "updatePhoneNumber",
  summary: "Pin a number to an agent, or unpin it",
  description: "The agent answers calls to the number from the next one on.",
  params: numberParams,
  body: z.object({
    agent_id: reference.openapi({
      description:
        "The id of the agent that answers calls to the number; null or empty for none, in which case callers " +
        "are rejected.",
      example: EXAMPLE_IDS.agent,
    }),
  }),
  revised: true,
  status: 204,
  errors: { 404: "unknown number or agent" },
});

export const deleteNumber = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/telephony/numbers/{id}",
  scope: ["connect"],
  operationId: "deletePhoneNumber",
  summary: "Remove a phone number",
  description: "You can no longer place calls from the number. Nothing changes at the carrier.",
  params: numberParams,
  status: 204,
  errors: { 404: "unknown number" },
});

export const listProviders = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/telephony/providers",
  scope: ["read"],
  operationId: "listTelephonyProviders",
  summary: "List carrier credentials (metadata only)",
  description: "Returns the carriers with credentials and the names of the stored fields, never their values.",
  kept: true,
  status: 200,
  response: listOf("providers", credential),
});

export const createProvider = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/telephony/providers",
  scope: ["connect"],
  operationId: "createTelephonyProvider",
  summary: "Store carrier credentials, encrypted",
  description:
    "The fields of `credentials` depend on the carrier. An error names missing and unknown fields. Credentials " +
    "are never returned.",
  body: z.object({
    provider,
    label: label.optional().openapi({
      description: "A name for people, 200 characters at most; by default the carrier's.",
      example: "Main account",
    }),
    credentials: jsonObject.openapi({
      description:
        "Twilio: `account_sid`, `auth_token`. Telnyx: `api_key`, `connection_id`, `public_key`. SignalWire: `space`, " +
        "`project_id`, `api_token`, `signing_key`. Vonage: `application_id`, `private_key`, `signature_secret`, and for its " +
        "list of numbers `api_key` and `api_secret`, which may be left out together. Plivo: `auth_id`, `auth_token`. " +
        "Sandbox: none. 64 KB as JSON at most.",
      example: { account_sid: "AC00000000000000000000000000000000", auth_token: "your auth token" },
    }),
  }),
  status: 201,
  response: credential,
  errors: { 503: "encryption is not available" },
});

export const deleteProvider = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/telephony/providers/{id}",
  scope: ["connect"],
  operationId: "deleteTelephonyProvider",
  summary: "Delete carrier credentials that no number uses",
  description:
    "First remove the numbers that use the credentials. They can no longer be used, but stay encrypted for two " +
    "more days for current calls and their recordings.",
  params: providerParams,
  status: 204,
  errors: { 404: "unknown credentials", 409: "a phone number still uses them" },
});

export const verifyProvider = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/telephony/providers/{id}/verify",
  scope: ["connect"],
  operationId: "verifyTelephonyProvider",
  summary: "Verify credentials with the carrier",
  description:
    "Sends one request without side effects to the carrier. If the credentials do not work, the response is not " +
    "an error: `ok` is false and `detail` says why.",
  params: providerParams,
  status: 200,
  response: z.object({
    ok: z.boolean().openapi({ description: "Whether the carrier accepts the credentials.", example: true }),
    detail: z.string().openapi({
      description: "The carrier's response in words, without phone numbers and secrets.",
      example: "twilio accepts the credentials",
    }),
    answered: z.boolean().openapi({
      description:
        "Whether the carrier answered. False if it did not respond, had an outage or asked for fewer requests. The " +
        "credentials may still be valid.",
      example: true,
    }),
  }),
  errors: { 404: "unknown credentials", 503: "encryption is not available" },
});

import { z } from "@hono/zod-openapi";
import { PROVIDERS } from "../carriers/carrier.ts";
import { NUMBER_CAPABILITIES } from "../carriers/numbers/numbers.ts";
import { endpoint } from "../http/endpoint.ts";
import { e164, jsonObject, label, timestamp, uuid } from "../http/fields.ts";
import { listOf } from "../http/paging.ts";

const NUMBER_ID = "019a5c3e-7d10-7c4a-9a55-2f6f0c1b7e21";
const CREDENTIALS_ID = "019a5c3e-1b2c-7f00-8e11-6d0d7a9c4b10";
const AGENT_ID = "019a5c3d-90aa-7b31-b1c2-0f4e5d6a7b89";
const E164 = "+12025550100";

const provider = z.enum(PROVIDERS).openapi({
  description: "The carrier; `sandbox` is the built-in one, which calls nobody and costs nothing.",
  example: "twilio",
});

const number = z
  .object({
    id: uuid.openapi({ description: "The number's id here, by which it is changed and removed.", example: NUMBER_ID }),
    e164: z.string().openapi({ description: "The number in E.164: a plus and 7 to 15 digits.", example: E164 }),
    provider,
    credentials_id: uuid.nullable().openapi({
      description: "The credentials by which its carrier is asked; null at the sandbox, which needs none.",
      example: CREDENTIALS_ID,
    }),
    agent_id: uuid.nullable().openapi({
      description: "The agent that answers calls to the number; null where none does, and callers are turned away.",
      example: AGENT_ID,
    }),
    inbound_enabled: z.boolean().openapi({ description: "Whether calls to the number are answered.", example: true }),
    outbound_enabled: z.boolean().openapi({ description: "Whether calls may be made from it.", example: true }),
    created_at: timestamp.openapi({ description: "When it was registered." }),
    updated_at: timestamp.openapi({ description: "When it was last pinned or unpinned, or registered." }),
  })
  .openapi("PhoneNumber");

const credential = z
  .object({
    id: uuid.openapi({
      description: "The id of the credentials, which numbers refer to as `credentials_id`.",
      example: CREDENTIALS_ID,
    }),
    provider,
    label: z.string().openapi({
      description: "What people call them; the carrier's name where none was given.",
      example: "Main account",
    }),
    credential_keys: z.array(z.string()).openapi({
      description: "The names of what is stored; never the values.",
      example: ["account_sid", "auth_token"],
    }),
    created_at: timestamp.openapi({ description: "When they were stored." }),
  })
  .openapi("TelephonyProvider");

const slice = { access: "account", tag: "Telephony" } as const;
const numberParams = z.object({ id: uuid.openapi({ description: "The number's id.", example: NUMBER_ID }) });
const providerParams = z.object({
  id: uuid.openapi({ description: "The id of the credentials.", example: CREDENTIALS_ID }),
});
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
  query: z.object({
    agent_id: z
      .string()
      .optional()
      .openapi({ description: "Only numbers that are pinned to this agent.", example: AGENT_ID }),
  }),
  kept: true,
  status: 200,
  response: listOf("numbers", number),
});

/** A number as it is registered. */
export const newNumber = z.object({
  e164: e164.openapi({
    description: "The number in E.164: a plus, the country, 7 to 15 digits in all; one that the carrier account has.",
    example: E164,
  }),
  provider: provider.optional().openapi({
    description: "The carrier. Left out, it is that of the credentials; one of the two must be sent.",
    example: "twilio",
  }),
  credentials_id: reference.optional().openapi({
    description: "The credentials to ask the carrier by; required for all but the sandbox.",
    example: CREDENTIALS_ID,
  }),
  agent_id: reference.optional().openapi({
    description: "The agent that is to answer calls to the number; null, empty or left out for none.",
    example: AGENT_ID,
  }),
  inbound_enabled: z
    .boolean()
    .default(true)
    .openapi({ description: "Whether calls to the number are answered.", example: true }),
  outbound_enabled: z
    .boolean()
    .default(true)
    .openapi({ description: "Whether calls may be made from it.", example: true }),
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
  params: numberParams,
  body: z.object({
    agent_id: reference.openapi({
      description: "The agent that is to answer; null or empty for none.",
      example: AGENT_ID,
    }),
  }),
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
  params: numberParams,
  status: 204,
  errors: { 404: "unknown number" },
});

/** What a check of a number looks at. */
const CHECKS = ["owned", "webhook_reachable", "inbound_address", "runtime_reachable"] as const;

const check = z
  .object({
    name: z.enum(CHECKS).openapi({
      description:
        "`owned`: the carrier account has the number. `webhook_reachable`: the carrier can report here. " +
        "`inbound_address`: calls that come in are announced here. `runtime_reachable`: calls have something to be connected to.",
      example: "inbound_address",
    }),
    ok: z.boolean().openapi({
      description: "Whether it is as it must be; false as well where it could not be looked at.",
      example: false,
    }),
    detail: z.string().openapi({
      description:
        "How it is, in sentences for people. Of an address elsewhere neither a password nor the values of its query are shown.",
      example: "Calls that come in are announced at https://old.example/voice.",
    }),
  })
  .openapi("NumberCheck");

export const numberChecks = z.object({
  checks: z.array(check).openapi({ description: "Always these four, in this order." }),
});

export const checkNumber = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/telephony/numbers/{id}/check",
  operationId: "checkPhoneNumber",
  summary: "Check that calls from and to a number can work",
  description:
    "Asks the carrier and the addresses concerned, side by side; what is wrong is an answer, not an error, and nothing is " +
    "changed. With `fix=inbound` the address for calls that come in is set by the carrier's API where it is another, and " +
    "looked at again: `detail` then says what it was before, what was done and what it is now, and the audit log has an " +
    "entry `set_inbound`. At Telnyx and Vonage the address is that of the application in the credentials, and so of all its " +
    "numbers; at Plivo the number is assigned to an application of its own. Vonage shows numbers to credentials with " +
    "`api_key` and `api_secret` alone. Thirty such looks a minute and account.",
  params: numberParams,
  query: z.object({
    fix: z.enum(["inbound"]).optional().openapi({
      description: "`inbound` has the address for calls that come in set at the carrier; left out, nothing is changed.",
      example: "inbound",
    }),
  }),
  status: 200,
  response: numberChecks,
  errors: { 404: "unknown number", 503: "encryption is not available" },
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
  body: z.object({
    provider,
    label: label.optional().openapi({
      description: "What people are to call them, 200 characters at most; the carrier's name where it is left out.",
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
  operationId: "deleteTelephonyProvider",
  summary: "Remove carrier credentials that no number uses",
  description:
    "Remove the numbers that go by them first. They are gone for everything new; sealed, they are kept for two days more, " +
    "for the calls that still go by them and their recordings.",
  params: providerParams,
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
  params: providerParams,
  status: 200,
  response: z.object({
    ok: z.boolean().openapi({ description: "Whether the carrier takes the credentials.", example: true }),
    detail: z.string().openapi({
      description: "What the carrier said, in words; phone numbers and secrets are left out.",
      example: "twilio accepts the credentials",
    }),
  }),
  errors: { 404: "unknown credentials", 503: "encryption is not available" },
});

const carrierNumber = z
  .object({
    e164: z.string().openapi({ description: "The number in E.164: a plus and 7 to 15 digits.", example: E164 }),
    capabilities: z.array(z.enum(NUMBER_CAPABILITIES)).openapi({
      description: "What the carrier says it can be used for; calls need `voice`.",
      example: ["voice", "sms"],
    }),
    registered: z.boolean().openapi({
      description: "Whether the account has the number here already, by whichever credentials.",
      example: false,
    }),
  })
  .openapi("CarrierNumber");

export const carrierNumbers = z.object({
  numbers: z.array(carrierNumber).openapi({ description: "In the carrier's order; short codes are left out." }),
  truncated: z.boolean().openapi({
    description:
      "Whether there are more: 1,000 numbers are given at most, from 50 pages of the carrier's and 30 seconds.",
    example: false,
  }),
});

export const listCarrierNumbers = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/telephony/providers/{id}/numbers",
  operationId: "listCarrierNumbers",
  summary: "List the numbers that the carrier's account has",
  description:
    "Asks the carrier page by page, and changes nothing: which of its numbers to register is yours to say. Vonage shows " +
    "them to credentials with `api_key` and `api_secret` alone. The sandbox has the numbers that are registered with it. " +
    "Where the carrier refuses, `x-error-code` is `carrier_auth`, `carrier_rate`, `carrier_outage` or another of these, as " +
    "when a call is placed. Thirty such looks a minute and account.",
  params: providerParams,
  status: 200,
  response: carrierNumbers,
  errors: {
    404: "unknown credentials",
    500: "the carrier refuses or does not answer; the body says why",
    503: "encryption is not available",
  },
});

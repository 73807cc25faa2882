import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { NUMBER_CAPABILITIES } from "../carriers/numbers/numbers.ts";
import { checkName, E164, numberParams, providerParams, slice } from "./contract.ts";

const check = z
  .object({
    name: checkName.openapi({
      description:
        "`owned`: the carrier account has the number. `webhook_reachable`: the carrier can reach this service. " +
        "`inbound_address`: the carrier sends incoming calls to this service. `runtime_reachable`: there is a " +
        "runtime for calls.",
      example: "inbound_address",
    }),
    ok: z.boolean().openapi({
      description: "Whether the check passed; also false if it could not be carried out.",
      example: false,
    }),
    detail: z.string().openapi({
      description: "The state, in sentences for people. Passwords and query values of other addresses are not shown.",
      example: "Calls that come in are announced at https://old.example/voice.",
    }),
  })
  .openapi("NumberCheck");

const warning = z
  .object({
    code: z.enum(["context_left_out", "language_without_phrases", "setting_without_effect"]).openapi({
      description: "The warning's code for programs, as in a campaign's plan.",
      example: "context_left_out",
    }),
    message: z.string().openapi({
      description: "What is wrong and what to do, in a sentence for people.",
      example:
        "the agent's playbooks and FAQs exceed 60,000 characters together, so conversations go without the FAQ " +
        "price_list: shorten or detach some, or put first what matters most",
    }),
  })
  .openapi("NumberWarning");

export const numberChecks = z.object({
  checks: z.array(check).openapi({
    description: "Always these four, in this order.",
    example: [
      { name: "owned", ok: true, detail: "The carrier account at twilio has the number." },
      { name: "webhook_reachable", ok: true, detail: "PUBLIC_URL (https://api.example.com) answers." },
      { name: "inbound_address", ok: false, detail: "No address is set for calls that come in." },
      {
        name: "runtime_reachable",
        ok: true,
        detail: "The service's own runtime handles calls, at the same address as the webhooks.",
      },
    ],
  }),
  warnings: z.array(warning).openapi({
    description: "Problems to check that do not prevent calls from being answered.",
    example: [],
  }),
});

export const checkNumber = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/telephony/numbers/{id}/check",
  scope: ["connect"],
  operationId: "checkPhoneNumber",
  summary: "Check that calls to and from a number can work",
  description:
    "Asks the carrier, and sends a request to each address that the carrier needs. Problems are part of the response, not " +
    "errors, and nothing is changed. With `fix=inbound`, the address for incoming calls is set through the " +
    "carrier's API if it is a different one, and checked again: `detail` then says what it was before, what was " +
    "done and what it is now, and the audit log has an entry `set_inbound`. At Telnyx and Vonage, the address " +
    "belongs to the application in the credentials, and therefore to all its numbers; at Plivo, the number is " +
    "assigned to an application of its own. Vonage shows numbers only to credentials with `api_key` and " +
    "`api_secret`. An account can make thirty such requests a minute. The number's `last_check` keeps the result.",
  params: numberParams,
  query: z.object({
    fix: z.enum(["inbound"]).optional().openapi({
      description: "`inbound` sets the address for incoming calls at the carrier. If left out, nothing is changed.",
      example: "inbound",
    }),
  }),
  status: 200,
  response: numberChecks,
  errors: { 404: "unknown number", 503: "encryption is not available" },
});

const carrierNumber = z
  .object({
    e164: z.string().openapi({ description: "The number in E.164: a plus and 7 to 15 digits.", example: E164 }),
    capabilities: z.array(z.enum(NUMBER_CAPABILITIES)).openapi({
      description: "The uses that the carrier lists for it; calls need `voice`.",
      example: ["voice", "sms"],
    }),
    registered: z.boolean().openapi({
      description: "Whether the account has already registered the number, with any credentials.",
      example: false,
    }),
  })
  .openapi("CarrierNumber");

export const carrierNumbers = z.object({
  numbers: z.array(carrierNumber).openapi({
    description: "In the carrier's order, without short codes.",
    example: [{ e164: E164, capabilities: ["voice", "sms"], registered: false }],
  }),
  truncated: z.boolean().openapi({
    description:
      "Whether there are more. At most 1,000 numbers are returned, from up to 50 pages of the carrier and within " +
      "30 seconds.",
    example: false,
  }),
});

export const listCarrierNumbers = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/telephony/providers/{id}/numbers",
  scope: ["connect"],
  operationId: "listCarrierNumbers",
  summary: "List the numbers of the carrier account",
  description:
    "Reads the list from the carrier and changes nothing; register the numbers that you want to use. Vonage " +
    "shows numbers only to credentials with `api_key` and `api_secret`. The sandbox lists the numbers that are " +
    "registered with it. If the carrier refuses, `x-error-code` is `carrier_auth`, `carrier_rate`, " +
    "`carrier_outage` or another carrier code, as when a call is placed. An account can make thirty such " +
    "requests a minute.",
  params: providerParams,
  status: 200,
  response: carrierNumbers,
  errors: {
    404: "unknown credentials",
    500: "the carrier refuses or does not respond; the body says why",
    503: "encryption is not available",
  },
});

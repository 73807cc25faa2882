import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { idOf } from "../../kernel/http/example-ids.ts";
import { enteredNumber } from "../../kernel/http/fields.ts";
import { placedCall } from "../calls/contract.ts";
import { carrierInstructions, carrierName, carrierReport } from "../carriers/documents.ts";
import { INBOUND_PATH } from "../telephony/inbound-address.ts";

export const inboundCall = endpoint({
  method: "post",
  path: INBOUND_PATH,
  access: "public",
  tag: "Carriers",
  scope: [],
  operationId: "answerInboundCall",
  summary: "Answer an incoming call to one of the account's numbers",
  description:
    "Signed by the carrier, and answered in its own words: connect the call to the agent the number is pinned to, or " +
    "turn it away politely. The same call asked about twice is one call. Give the carrier the address with " +
    "`?credentials=` and the id of its credentials: the signature is checked by these. Without it, it is checked by the " +
    "account's only credentials of the carrier, or, where it has several, by those of the number that is dialled.",
  params: z.object({
    provider: carrierName,
    account: z.string().openapi({ description: "The name of the account whose number was dialled.", example: "acme" }),
  }),
  query: z.object({
    credentials: idOf(
      "credentials",
      "The carrier credentials that the signature is checked by; left out, it is found as described above.",
    ).optional(),
  }),
  extraQuery: "ignored",
  rawBody: carrierReport,
  status: 200,
  stream: carrierInstructions,
  others: { 204: { description: "It was an event of a call announced before." } },
  errors: {
    400: "signed, but no call",
    403: "not signed by the carrier, signed by credentials that were deleted, or the account is closed",
    404: "unknown carrier",
    413: "over 64 KiB",
    415: "compressed, where its very bytes are signed",
    429: "too many that were not signed came from this address in this minute",
  },
});

const DEFAULT_CALLER = "+12025550199";

export const callSandboxNumber = endpoint({
  method: "post",
  path: "/api/v1/sandbox/calls",
  access: "account",
  tag: "Calls",
  scope: ["dial"],
  operationId: "callSandboxNumber",
  summary: "Simulate a call to one of the account's sandbox numbers, to try an agent",
  description:
    "The call is handled like any inbound call: to the agent its number is pinned to, counted against the caps, on " +
    "record with its conversation. With `says` the caller says these lines, each once the agent has ended, and hangs up " +
    "when the last is answered; with an empty list they say nothing and listen until the agent ends the call. Without " +
    "`says` it is a scripted person, chosen by the last digit of `from_number`; one that ends in 01 to 07 goes as a call " +
    "to such a sandbox number does, with nobody to talk to.",
  body: z.object({
    to_number: enteredNumber.openapi({
      description: "The number that is called: one of the account's at the sandbox.",
    }),
    from_number: enteredNumber.default(DEFAULT_CALLER).openapi({
      description: "The number of the caller; its last digits choose how the call goes.",
      example: DEFAULT_CALLER,
    }),
    says: z
      .array(z.string().trim().min(1).max(1_000))
      .max(50)
      .optional()
      .openapi({
        description:
          "What the caller says, line by line: up to 50 lines of up to 1,000 characters. Left out: a scripted person.",
        example: ["When are you open?", "Thank you, goodbye."],
      }),
  }),
  status: 200,
  response: placedCall,
  errors: {
    400: "the number is not at the sandbox",
    404: "the account has no such number",
    409: "nobody would answer: the number takes no calls, has no active agent, or the sandbox does not connect the call",
    429: "a cap of the account or a limit of the caller is reached; x-error-code says which",
  },
});

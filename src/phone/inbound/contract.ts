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
    "The carrier signs the request. The response, in the carrier's format, connects the call to the agent that " +
    "the number is pinned to, or rejects it with an announcement. Repeated requests about one call are one call. " +
    "Give the carrier the address with `?credentials=` and the id of its credentials, with which the signature " +
    "is then checked. Without it, the signature is checked with the account's only credentials of the carrier " +
    "or, if there are several, with those of the dialed number.",
  params: z.object({
    provider: carrierName,
    account: z.string().openapi({ description: "The name of the account whose number was dialed.", example: "acme" }),
  }),
  query: z.object({
    credentials: idOf(
      "credentials",
      "The carrier credentials with which the signature is checked. If left out, they are found as described above.",
    ).optional(),
  }),
  extraQuery: "ignored",
  rawBody: carrierReport,
  status: 200,
  stream: carrierInstructions,
  others: { 204: { description: "The report is about a call that is already known." } },
  errors: {
    400: "the request is signed, but does not report a call",
    403: "the request is not signed by the carrier, is signed with deleted credentials, or the account is closed",
    404: "unknown carrier",
    413: "over 64 KiB",
    415: "the body is compressed, which is not possible because its exact bytes are signed",
    429: "this address sent too many unsigned requests in this minute",
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
  summary: "Simulate a call to one of the account's sandbox numbers",
  description:
    "The call is handled like any inbound call: its number's agent answers, it counts against the caps, and its " +
    "conversation is recorded. With `says`, the caller says these lines, each after the agent has finished, and " +
    "hangs up after the last answer. With an empty list, the caller says nothing and listens until the agent " +
    "ends the call. Without `says`, the caller is a scripted person, chosen by the last digit of `from_number`; " +
    "if it ends in 01 to 07, the call goes like one to such a sandbox number, without a conversation.",
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
    409:
      "the call would not be answered: the number does not accept calls or has no active agent, or the sandbox " +
      "does not connect the call",
    429: "a cap of the account or a limit of the caller is reached; x-error-code says which",
  },
});

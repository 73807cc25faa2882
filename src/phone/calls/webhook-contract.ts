import { z } from "@hono/zod-openapi";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { EXAMPLE_IDS, idOf } from "../../kernel/http/example-ids.ts";
import { carrierInstructions, carrierName, carrierReport } from "../carriers/documents.ts";

export const callWebhook = endpoint({
  method: "post",
  path: "/api/telephony/webhooks/{provider}/{account}/{call_id}",
  access: "public",
  tag: "Carriers",
  scope: [],
  operationId: "receiveCallWebhook",
  summary: "Receive a carrier's report about a call, signed by the carrier",
  description:
    "The service gives carriers this address with each call. Twilio, SignalWire and Plivo send forms, Telnyx, " +
    "Vonage and the sandbox JSON. Late and repeated reports change nothing. If a carrier asks for instructions, " +
    "the response contains them.",
  params: z.object({
    provider: carrierName,
    account: z.string().openapi({ description: "The name of the account whose call it is.", example: "acme" }),
    call_id: z.string().openapi({ description: "The call's id here.", example: EXAMPLE_IDS.call }),
  }),
  query: z.object({
    campaign: idOf("campaign", "The campaign that placed the call; left out for any other call.").optional(),
    credentials: idOf(
      "credentials",
      "The carrier credentials that the call uses; left out for a carrier without credentials.",
    ).optional(),
    token: z
      .string()
      .optional()
      .openapi({
        description:
          "Proves that the service created this address for this call, campaign and credentials. An address without it " +
          "is refused.",
        example: "q3JX0bXo0d1cVtq3mJ6w1mXo2sP9uY7r4n8h5kz0a1c",
      }),
    transfer: z.string().optional().openapi({
      description: "The number to which the call is transferred, as signed by the service for this call.",
      example: "eyJhbGciOiJFUzI1NiJ9.e30.x",
    }),
    message: z
      .literal("1")
      .optional()
      .openapi({ description: "The carrier requests the message for the machine that answered.", example: "1" }),
    document: z
      .literal("1")
      .optional()
      .openapi({
        description:
          "The carrier requests the instructions of an answered call here if they were too long for the request that " +
          "placed it.",
        example: "1",
      }),
  }),
  extraQuery: "ignored",
  rawBody: carrierReport,
  status: 204,
  others: {
    200: { description: "Instructions for the call, in the carrier's format.", stream: carrierInstructions },
  },
  errors: {
    400: "the request is signed, but is not a report of a call, or is incomplete",
    403:
      "the report is not signed by the carrier, is about another call, comes to an address that was not created " +
      "for this call, or asks for a transfer or message that was not requested",
    404: "unknown carrier or call",
    413: "over 64 KiB",
    415: "the body is compressed, which is not possible because its exact bytes are signed",
    429: "this address sent too many unsigned requests in this minute",
  },
});

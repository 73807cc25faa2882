import { z } from "@hono/zod-openapi";
import { carrierInstructions, carrierReport } from "../carriers/documents.ts";
import { endpoint } from "../http/endpoint.ts";
import { uuid } from "../http/fields.ts";

export const inboundCall = endpoint({
  method: "post",
  path: "/api/telephony/inbound/{provider}/{account}",
  access: "public",
  tag: "Carriers",
  operationId: "answerInboundCall",
  summary: "Answer a carrier that has a call for one of the account's numbers",
  description:
    "Signed by the carrier, and answered in its own words: connect the call to the agent the number is pinned to, or " +
    "turn it away politely. The same call asked about twice is one call. Give the carrier the address with " +
    "`?credentials=` and the id of its credentials: the signature is checked by these. Without it, it is checked by the " +
    "account's only credentials of the carrier, or, where it has several, by those of the number that is dialled.",
  params: z.object({ provider: z.string(), account: z.string() }),
  query: z.object({ credentials: uuid.optional() }),
  rawBody: carrierReport,
  status: 200,
  stream: carrierInstructions,
  others: { 204: { description: "It was an event of a call announced before." } },
  errors: {
    400: "signed, but no call",
    403: "not signed by the carrier, signed by credentials that were deleted, or the account is closed",
    404: "unknown carrier",
    413: "over 64 KiB",
    429: "too many that were not signed came from this address in this minute",
  },
});

import { z } from "@hono/zod-openapi";
import { named } from "../../kernel/http/named-schemas.ts";
import { DISCLOSURES } from "../ledger/disclosed.ts";

const how = z.enum(DISCLOSURES).openapi({
  description:
    "`spoken` by the carrier or the agent, `shown` on the page or in the test, `reported` by a runtime of your " +
    "own, `missing` if it was required but the person left before it was made, `not_required`.",
  example: "spoken",
});

/** The disclosure of a record. */
export const disclosed = named(
  "Disclosed",
  "How the disclosure was made before the agent's first word.",
  z.object({
    at: z.string().nullable().openapi({
      description: "When the disclosure was complete (UTC); null if it was not made.",
      example: "2026-11-21T09:30:04.120Z",
    }),
    text: z.string().nullable().openapi({
      description: "The sentence that was said or should have been said; null if none was required.",
      example: "You are talking to an AI assistant of Acme Dental.",
    }),
    how,
  }),
);

/** Returns the query parameter that selects records by the state of their disclosure. */
export const disclosedFilter = (records: string) =>
  how.optional().openapi({ description: `Only ${records} whose disclosure has this state.`, example: "missing" });

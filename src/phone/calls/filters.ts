import { z } from "@hono/zod-openapi";
import { EXAMPLE_IDS } from "../../kernel/http/example-ids.ts";
import { agentVersionFilter, instant, numberInQuery } from "../../kernel/http/fields.ts";
import { disclosedFilter } from "../../records/conversations/disclosed-contract.ts";
import { CALL_STATUSES } from "../../records/ledger/call-status.ts";

/** Query parameters for the calls of an agent or a campaign. */
export const ownerFilters = {
  agent_id: z
    .string()
    .optional()
    .openapi({ description: "Only calls of the agent with this id.", example: EXAMPLE_IDS.agent }),
  campaign_id: z
    .string()
    .optional()
    .openapi({ description: "Only calls that the campaign with this id placed.", example: EXAMPLE_IDS.campaign }),
};

/** Query parameters that filter calls. They combine. */
export const callFilters = {
  ...ownerFilters,
  agent_version: agentVersionFilter("calls"),
  status: z.enum(CALL_STATUSES).optional().openapi({ description: "Only calls with this status.", example: "busy" }),
  phone_number: numberInQuery
    .optional()
    .openapi({ description: "Only calls from or to this number, in any notation.", example: "+13035550110" }),
  disclosed: disclosedFilter("calls"),
  since: instant.optional().openapi({
    description: "Only calls created at this time or later (ISO 8601 with an offset).",
    example: "2026-11-21T00:00:00Z",
  }),
  until: instant.optional().openapi({
    description: "Only calls created before this time (ISO 8601 with an offset).",
    example: "2026-11-22T00:00:00Z",
  }),
};

export type CallOwner = z.output<z.ZodObject<typeof ownerFilters>>;
export type CallFilters = z.output<z.ZodObject<typeof callFilters>>;

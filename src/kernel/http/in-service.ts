import { z } from "@hono/zod-openapi";
import type { SQL } from "drizzle-orm";
import type { agents } from "../db/schema/index.ts";
import type { Read } from "../db/statement.ts";
import { named } from "./named-schemas.ts";

/** The reasons why an agent is not in service on a channel. */
const OUT_OF_SERVICE = [
  "archived",
  "draft",
  "not_published",
  "no_number",
  "no_model",
  "no_runtime",
  "widget_disabled",
  "no_key",
  "sign_in_required",
] as const;
export type OutOfService = (typeof OUT_OF_SERVICE)[number];

const channelService = named(
  "ChannelService",
  "Whether an agent is in service on one channel, according to its configuration.",
  z.object({
    ready: z.boolean().openapi({ description: "Whether people can reach the agent there.", example: false }),
    reason: z
      .enum(OUT_OF_SERVICE)
      .nullable()
      .openapi({
        description:
          "The first thing that prevents it; null if it is ready. `sign_in_required`: guests are refused, but visitors " +
          "whom the account's server signs in are answered.",
        example: "draft",
      }),
    message: z.string().nullable().openapi({
      description: "A sentence for people that says why and what to do; null if it is ready.",
      example: "The agent is a draft, so calls to its numbers aren't answered. Put it into service.",
    }),
  }),
);
export type ChannelService = z.output<typeof channelService>;

/** The schema of where an agent is in service: on the phone, in campaigns and in the widget. */
export const inService = named(
  "InService",
  "Where an agent is in service, according to configuration only, without asking a carrier.",
  z.object({
    phone: channelService.openapi({ description: "Whether callers of the agent's numbers are answered." }),
    campaigns: channelService.openapi({ description: "Whether a campaign with this agent could place calls." }),
    widget: channelService.openapi({ description: "Whether guests of the widget are answered." }),
  }),
);
export type InService = z.output<typeof inService>;

/** One of the agent's numbers or widget keys, by id, to which a channel is limited. */
export interface Through {
  number?: string;
  widgetKey?: string;
}

/** Returns where an agent is in service, from data that was already read. */
export type InServiceOf = (agentId: string, through?: Through) => InService;

/** The columns of an agent that decide where it is in service. */
export type NewAgentFacts = Pick<
  typeof agents.$inferSelect,
  "id" | "status" | "versioning" | "published_version" | "llm_model" | "fallback_model" | "auth_mode"
>;

/** Builds the read that determines which channels agents serve. It can be batched with other reads. */
export interface InServiceRead {
  /** `agents` selects their ids; undefined for all. */
  (agents?: SQL): Read<InServiceOf>;
  /** Reads only what can concern an agent that the same batch creates. */
  ofNew(agent: NewAgentFacts): Read<InServiceOf>;
}

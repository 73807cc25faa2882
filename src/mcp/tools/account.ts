import { z } from "zod";
import { readGuides, searchGuides } from "../guides.ts";
import { cut } from "../result.ts";
import { limit, looking, type Tool } from "../tool.ts";

const PASSAGE_CHARS = 4_000;
const rows = z.array(z.record(z.string(), z.unknown()));
const events = z.object({ events: rows, next: z.string().nullable() });
const used = z.object({ usage: rows, from: z.string(), to: z.string() });
const passage = z.object({ guide: z.string(), title: z.string(), heading: z.string(), text: z.string() });
const day = z.string().regex(/^\d{4}-\d\d-\d\d$/, "must be a day, such as 2026-11-01");

const recentEvents = looking(
  {
    name: "recent_events",
    title: "Recent events",
    description: "What has happened in the account, newest first: calls, conversations, campaigns, opt-outs.",
    scopes: ["read"],
    input: z.strictObject({
      types: z.string().max(500).optional().describe("Only these types, separated by commas, such as call.ended."),
      after: z.string().max(500).optional().describe("The `next` of the previous page."),
      limit: limit(50),
    }),
    output: events,
    strangers: true,
  },
  async ({ api }, query) => api.get("/api/v1/events", events, query),
);

const usage = looking(
  {
    name: "usage",
    title: "Usage and cost",
    description: "Returns the use and cost of calls and conversations by day, agent, campaign, API key or kind.",
    scopes: ["read"],
    input: z.strictObject({
      from: day.optional().describe("The first day (UTC)."),
      to: day.optional().describe("The day after the last (UTC)."),
      group_by: z
        .string()
        .max(100)
        .default("day")
        .describe("Some of day, agent, campaign, api_key, kind, separated by commas."),
    }),
    output: used,
  },
  async ({ api }, query) => api.get("/api/v1/usage", used, query),
);

const searchDocs = looking(
  {
    name: "search_docs",
    title: "Search the documentation",
    description: "Finds passages of Switchboard's documentation for a question.",
    scopes: [],
    input: z.strictObject({ query: z.string().min(1).max(300), limit: limit(10) }),
    output: z.object({ passages: z.array(passage) }),
  },
  async (context, { query, limit: most }) => ({
    passages: searchGuides(await readGuides(context), query, Math.min(most, 10)).map(({ guide, heading, text }) => ({
      guide: guide.name,
      title: guide.title,
      heading,
      text: cut(text, PASSAGE_CHARS),
    })),
  }),
);

export const accountTools: Tool[] = [recentEvents, usage, searchDocs];

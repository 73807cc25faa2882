import { z } from "@hono/zod-openapi";
import { describe, expect, it } from "vitest";
import "../../src/app.ts";
import { markOf } from "../../src/kernel/http/content.ts";
import { partsOf } from "../../src/kernel/http/secret-fields.ts";
import { served } from "../../src/kernel/http/serve.ts";
import { EVENT_TYPES, EVENTS } from "../../src/records/events/types.ts";

/** Names of fields that may identify or quote a person. */
const PERSONAL =
  /(?:^|_)(?:number|visitor_id|caller|email|reason|note|disposition|summary|rationale|transcript|error)$/;

/** Returns the text fields of a schema with such names that every reader sees, as `place.name`. */
function shownToAll(schema: z.ZodType, place: string, name = ""): string[] {
  if (markOf(schema) !== null) return [];
  if (schema instanceof z.ZodObject)
    return Object.entries(schema.shape).flatMap(([field, part]) => shownToAll(part as z.ZodType, place, field));
  if (schema instanceof z.ZodString) return schema.format === null && PERSONAL.test(name) ? [`${place}.${name}`] : [];
  return partsOf(schema).flatMap((part) => shownToAll(part, place, name));
}

/** Such fields that contain no personal data, by their schema, with the reason why they are shown. */
const SHOWN_TO_ALL: Record<string, readonly string[]> = {
  // The reasons why something ended or stopped, in words of the service or from the contract with runtimes.
  Campaigns: ["status_reason", "reason", "failure_reason", "from_number"],
  Conversations: ["end_reason"],
  "Agent tests": ["reason"],
  Integrations: ["reason"],
  Knowledge: ["reason"],
  // The account's own texts.
  Agents: ["reason", "summary", "note"],
  FAQs: ["summary"],
  Marketplace: ["summary"],
  // What went wrong with one of the account's own requests.
  Tools: ["error"],
  Webhooks: ["error"],
  Events: ["end_reason", "reason", "status_reason", "error"],
  Confirmations: ["summary"],
  // The members of the account, shown to those who manage it.
  Members: ["email"],
  Accounts: ["email"],
};

describe("text fields whose names say that they are about a person", () => {
  it("text fields about a person are hidden in every response from a caller who may not listen", () => {
    const found = served.flatMap(({ tag, response, access }) =>
      response && (access === "account" || access === "console") ? shownToAll(response, tag) : [],
    );
    const allowed = Object.entries(SHOWN_TO_ALL).flatMap(([tag, names]) => names.map((name) => `${tag}.${name}`));
    expect([...new Set(found)].filter((field) => !allowed.includes(field))).toEqual([]);
  });

  it("text fields about a person are hidden in every event from a caller who may not listen", () => {
    const found = EVENT_TYPES.flatMap((type) => shownToAll(EVENTS[type].shape.data, "Events"));
    expect([...new Set(found)].sort()).toEqual(["Events.end_reason", "Events.reason", "Events.status_reason"]);
  });

  it("stay hidden in a field that has another example in one type of event", () => {
    for (const type of ["conversation.started", "conversation.ended"] as const)
      expect(markOf(EVENTS[type].shape.data.shape.disposition), type).toBe("content");
  });
});

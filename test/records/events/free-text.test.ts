import { describe, expect, it } from "vitest";
import { z } from "zod";
import { eraserOf, FREE_TEXT } from "../../../src/records/events/erasure.ts";
import { EVENT_TYPES, EVENTS, type EventType } from "../../../src/records/events/types.ts";

/**
 * Fields whose text never contains what a person said or wrote: codes, names of the account's own things, and addresses
 * and numbers, which are masked separately. A new field counts as free text until it is added here.
 */
const NO_FREE_TEXT = new Set([
  "url",
  "transcript_url",
  "from_number",
  "to_number",
  "phone_number",
  "content_type",
  "name",
  "status_reason",
  "outcome",
  "contact.completed.reason",
  "contact.failed.reason",
  "test_run.completed.reason",
  "document.ready.reason",
  "document.failed.reason",
  "model.ending.model",
  "model.ending.replaced_by",
  // A language tag.
  "language",
  // The sentence that the account has set.
  "conversation.disclosure_missing.text",
  "tool_name",
  "hash",
  "published_by",
  "host",
]);

const holdsAnyText = (schema: z.ZodType): boolean => {
  if (schema instanceof z.ZodNullable || schema instanceof z.ZodOptional || schema instanceof z.ZodDefault)
    return holdsAnyText(schema.unwrap() as z.ZodType);
  return schema instanceof z.ZodString && schema.format === null && !schema.def.checks?.length;
};

/** Returns the fields of a type's data that may contain free text. */
function freeTextOf(type: EventType): string[] {
  const shape: Record<string, z.ZodType> = EVENTS[type].shape.data.shape;
  return Object.entries(shape).flatMap(([name, field]) =>
    holdsAnyText(field) && !NO_FREE_TEXT.has(name) && !NO_FREE_TEXT.has(`${type}.${name}`) ? [name] : [],
  );
}

describe("free text in events", () => {
  it.each(EVENT_TYPES)("free text of %s is erased in every field", (type) => {
    expect([...(FREE_TEXT[type] ?? [])].sort()).toEqual(freeTextOf(type).sort());
  });

  const NUMBER = "+13035550142";
  const optOut = (number: string) =>
    JSON.stringify({ phone_number: number, reason: "Ada is in hospital", conversation_id: null, agent_id: null });

  it("erasing a number removes free text from the person's events", () => {
    const erase = eraserOf({ number: NUMBER, ids: [] });
    expect(JSON.parse(erase("opt_out.added", optOut(NUMBER)))).toMatchObject({ phone_number: "[PHONE]", reason: null });
    expect(erase("opt_out.added", optOut("+13035550143"))).toBe(optOut("+13035550143"));
  });

  it("erasing a person removes free text from their conversations' events, even without a number", () => {
    const data = JSON.stringify({
      conversation_id: "c",
      call_id: null,
      disposition: "Ada moves out",
      end_reason: "ada",
    });
    for (const number of [NUMBER, null])
      expect(JSON.parse(eraserOf({ number, ids: ["c"] })("conversation.ended", data))).toEqual({
        conversation_id: "c",
        call_id: null,
        disposition: null,
        end_reason: null,
      });
  });
});

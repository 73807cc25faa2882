import { expect, it } from "vitest";
import { z } from "zod";
import { MAX_EVENTS, conversationEvent as ours } from "../../../packages/runtime-check/src/contract.ts";
import { MAX_EVENTS as SERVICE_MAX_EVENTS } from "../../../src/conversation/runtime/contract.ts";
import { conversationEvent as theirs } from "../../../src/records/conversations/events.ts";

const shape = (schema: z.ZodType) => z.toJSONSchema(schema, { io: "input" });

it("the runtime check accepts the same events as the service, and as many at once", () => {
  expect(shape(ours)).toEqual(shape(theirs));
  expect(MAX_EVENTS).toBe(SERVICE_MAX_EVENTS);
});

import { z } from "@hono/zod-openapi";
import { DEFAULT_WRITE_RUNS } from "./effect.ts";
import { BINDING_SOURCE } from "./run/bind.ts";

/** Most arguments that a tool may bind. */
const MAX_BINDINGS = 50;
const bindingSource = z
  .string()
  .regex(BINDING_SOURCE, "must be visitor.id, call.id, call.from_number, call.to_number or contact.<column>");
const binding = z.union([
  bindingSource,
  z.strictObject({
    from: bindingSource.openapi({
      description: "Where the value comes from.",
      example: "call.from_number",
    }),
    unverified: z.boolean().openapi({
      description: "Whether a guest's id, an inbound caller's number or a tester's variable is good enough.",
      example: true,
    }),
  }),
]);
const bind = z
  .record(z.string().min(1).max(100), binding)
  .refine((bound) => Object.keys(bound).length <= MAX_BINDINGS, `must not bind more than ${MAX_BINDINGS} arguments`);
const BIND =
  "Arguments that the platform fills in, by name: `visitor.id`, `call.id`, `call.from_number`, `call.to_number`, or `contact.<column>`, a column of the contact or a variable the call was placed with. The model neither sees nor sends them. A guest's id, an inbound caller's number and the variables of a test are only their own word: they are used only if the binding is `{from, unverified: true}`. Where a conversation has no such value, the tool is unavailable in it.";
const MAX_RUNS = `How often it may run in one conversation: 1 to 1,000. Null for the default: ${DEFAULT_WRITE_RUNS} for a tool that writes, any number for one that reads.`;
const EFFECT =
  "Whether it changes anything (`write`) or only looks something up (`read`). Null for the default: `read` for an http tool with GET, otherwise `write`.";

/** How a tool may be used, beside what it does. */
export const settings = {
  effect: z.enum(["read", "write"]).nullable().openapi({ description: EFFECT, example: "read" }),
  max_runs: z.int().min(1).max(1000).nullable().openapi({ description: MAX_RUNS, example: 5 }),
  bind: bind.openapi({ description: BIND, example: { order_id: "contact.order_id" } }),
};

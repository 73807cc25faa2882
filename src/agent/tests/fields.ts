import { z } from "@hono/zod-openapi";
import { idOf } from "../../kernel/http/example-ids.ts";
import { label, plainText, smallJson, variablesUpTo } from "../../kernel/http/fields.ts";

import { MAX_REPEAT } from "./verdict.ts";

/** The maximum number of tests of an agent. */
export const MAX_TESTS = 100;
export const MAX_STEPS = 30;
export const MAX_STEP_CHARS = 4_000;
export const MAX_MOCKS = 50;
const MAX_EXPECTATIONS = 30;
const MAX_PHRASE_CHARS = 1_000;
const MAX_NAME_CHARS = 200;
export const MAX_DISPOSITION_CHARS = 100;
export const MAX_VARIABLES_KB = 16;

const phrase = plainText.trim().min(1, "must not be empty").max(MAX_PHRASE_CHARS).openapi({ example: "at ten" });
const toolName = z.string().min(1).max(MAX_NAME_CHARS).openapi({ example: "book_appointment" });
const givenArguments = z.record(z.string(), z.unknown());

const step = z
  .strictObject({
    says: plainText
      .trim()
      .min(1, "must not be empty")
      .max(MAX_STEP_CHARS)
      .openapi({
        description: `What the other side says, up to ${MAX_STEP_CHARS} characters.`,
        example: "I would like to come on Friday.",
      }),
  })
  .openapi("TestStep");

const mock = z
  .strictObject({
    tool: toolName.openapi({ description: "The tool's name." }),
    when: givenArguments
      .nullable()
      .default(null)
      .openapi({
        description: "Arguments that the call must have. It may have others too. Null for any call.",
        example: { day: "2026-11-27" },
      }),
    result: z.unknown().openapi({ description: "The tool's result: any JSON.", example: ["10:00", "14:30"] }),
  })
  .openapi("ToolMock");

const kinds = {
  said: phrase.openapi({ description: "A text that the agent says, ignoring case." }),
  not_said: phrase.openapi({ description: "A text that the agent never says.", example: "guarantee" }),
  tool_called: z
    .strictObject({
      name: toolName.openapi({ description: "The tool's name." }),
      arguments: givenArguments.optional().openapi({
        description:
          "Arguments that a call of the tool must have. It may have others too. If left out, any call matches.",
        example: { day: "2026-11-27" },
      }),
    })
    .openapi({ description: "A tool that the agent uses." }),
  tool_not_called: toolName.openapi({ description: "A tool that the agent does not use.", example: "issue_refund" }),
  disposition: z
    .string()
    .trim()
    .min(1)
    .max(MAX_DISPOSITION_CHARS)
    .openapi({ description: "The last outcome that the agent recorded.", example: "appointment_booked" }),
  ended: z.boolean().openapi({ description: "Whether the agent ends the conversation.", example: true }),
  transferred: z.boolean().openapi({ description: "Whether the agent transfers the caller.", example: false }),
  max_turns: z.number().int().min(0).max(1_000).openapi({
    description: "The maximum number of the agent's turns, including its greeting.",
    example: 4,
  }),
  cited: z
    .strictObject({ document_id: idOf("document", "The document whose passage a turn must be based on.") })
    .openapi({ description: "A document that one of the agent's turns is based on." }),
};
const NAMES = Object.keys(kinds);

/** An expectation; it has exactly one kind. */
export const expectation = z
  .strictObject(kinds)
  .partial()
  .superRefine((given, context) => {
    const named = Object.values(given).filter((value) => value !== undefined);
    if (named.length !== 1)
      context.addIssue({ code: "custom", message: `must have exactly one of ${NAMES.join(", ")}` });
  })
  .openapi("TestExpectation");

export const testFields = z.object({
  name: label.openapi({
    description: "The name, up to 200 characters.",
    example: "Books the Friday slot",
  }),
  steps: smallJson(z.array(step).min(1).max(MAX_STEPS)).openapi({
    description: `What the other side says, one after the other, each after the agent's answer: 1 to ${MAX_STEPS}.`,
  }),
  variables: variablesUpTo(MAX_VARIABLES_KB).openapi({
    description:
      `The variables of a call: up to 64 named texts, ${MAX_VARIABLES_KB} KB of JSON at most. \`date\` and \`time\` ` +
      "are those of the run unless they are given here.",
  }),
  tool_mocks: smallJson(z.array(mock).max(MAX_MOCKS)).openapi({
    description:
      `Results that tools return instead of running, up to ${MAX_MOCKS}. If a tool has several mocks, the first ` +
      "one that matches the call is used. A tool that is attached but not set up yet is available if it has a mock.",
  }),
  expect: smallJson(z.array(expectation).max(MAX_EXPECTATIONS)).openapi({
    description: `The conditions that must all be true of the conversation, up to ${MAX_EXPECTATIONS}.`,
    example: [{ said: "at ten" }, { tool_called: { name: "book_appointment" } }, { max_turns: 4 }],
  }),
  repeat: z
    .number()
    .int()
    .min(1)
    .max(MAX_REPEAT)
    .openapi({
      description: `The minimum number of times that each run holds its conversation, from 1 (the default) to ${MAX_REPEAT}, because models answer differently each time.`,
      example: 3,
    }),
  min_passes: z
    .number()
    .int()
    .min(1)
    .max(MAX_REPEAT)
    .openapi({
      description:
        "The number of repetitions that must pass, from 1 to `repeat`; all of them by default. If it equals " +
        "`repeat`, it changes together with `repeat`. If a run repeats the test more often, the same share must pass.",
      example: 2,
    }),
  required: z.boolean().openapi({
    description:
      "Whether an agent under `manual` versioning can only be published if the test passes on the content to be " +
      "published.",
    example: true,
  }),
});

export const newTestFields = testFields.extend({
  variables: testFields.shape.variables.default({}),
  tool_mocks: testFields.shape.tool_mocks.default([]),
  expect: testFields.shape.expect.default([]),
  repeat: testFields.shape.repeat.default(1),
  min_passes: testFields.shape.min_passes.optional(),
  required: testFields.shape.required.default(false),
});

export type NewTest = z.output<typeof newTestFields>;

import { z } from "@hono/zod-openapi";
import { content } from "../../kernel/http/content.ts";
import { named } from "../../kernel/http/named-schemas.ts";
import { ANALYSIS_STATUSES, SPEAKERS, VALUE_STATES, VERDICTS } from "../analysis/analysis.ts";

const text = z.string();
const whole = (description: string, example: number) => z.number().int().openapi({ description, example });

const status = z.enum(ANALYSIS_STATUSES).openapi({
  description:
    "The progress: `pending`, `done`, `failed` (`reason` says why; repeat it with analyzeConversation), or " +
    "`skipped` if no person said anything or no turns are stored.",
  example: "done",
});
const successful = z.enum(VERDICTS).openapi({
  description:
    "Whether it met its agent's criteria: `failure` if it missed one, `success` if it met all of them, otherwise `unknown`.",
  example: "success",
});
const turns = (description: string) => z.array(z.number().int()).openapi({ description, example: [3, 4] });

export const listedAnalysis = z
  .object({
    status,
    successful,
    summary: content(text, {
      description: "A summary in a few sentences, written by the model; null if none was requested.",
      example: "The caller asked for an appointment and took the one on Friday at ten.",
    }),
  })
  .openapi("ListedAnalysis");

export const analysis = named(
  "Analysis",
  "The results of a conversation's analysis.",
  z.object({
    status,
    reason: text.nullable().openapi({
      description: "Why it failed or was skipped, in words, or `budget` if a budget is used up; otherwise null.",
      example: null,
    }),
    summary: text.nullable().openapi({
      description: "A summary in a few sentences, written by the model and not checked; null if none was requested.",
      example: "The caller asked for an appointment and took the one on Friday at ten.",
    }),
    successful,
    criteria: z
      .array(
        z.object({
          name: text.openapi({ description: "The criterion's name.", example: "booked" }),
          verdict: z.enum(VERDICTS).openapi({
            description:
              "Whether the criterion was met; `unknown` if no turn supports a verdict. The caller's words alone are never " +
              "a `success`.",
            example: "success",
          }),
          rationale: text.nullable().openapi({
            description: "The model's reason, which is not checked; null if it gave none.",
            example: "The caller took the appointment that the agent offered.",
          }),
          turns: turns("The `seq` of the turns that support it."),
        }),
      )
      .openapi({ description: "A verdict for each of the criteria." }),
    data: z
      .record(
        text,
        z
          .object({
            value: z.union([z.string(), z.number(), z.boolean()]).nullable().openapi({
              description: "The value, by its type; a date is ISO 8601. Null if it was not mentioned or is invalid.",
              example: "2026-11-27",
            }),
            state: z.enum(VALUE_STATES).openapi({
              description:
                "`found` if the turns confirm the value; `unverified` if they neither confirm nor contradict it; " +
                "`not_mentioned` if nobody said it; `invalid` if the turns contradict the model's value or it is not of its " +
                "type.",
              example: "found",
            }),
            turns: turns(
              "The `seq` of the turns that support the value; for an unverified value, of those that the model cites.",
            ),
            by: z
              .enum(SPEAKERS)
              .nullable()
              .openapi({
                description:
                  "Who said the value first. A value that the caller said first is the caller's, even if the agent or a tool " +
                  "repeats it. Null if no turn is cited.",
                example: "caller",
              }),
          })
          .openapi("AnalysisValue"),
      )
      .openapi({
        description: "Each value that was asked for, by its name.",
        example: { preferred_day: { value: "2026-11-27", state: "found", turns: [3], by: "caller" } },
      }),
    model: text.nullable().openapi({
      description: "The model that read the conversation; null if none did.",
      example: "openai/gpt-4o",
    }),
    agent_version: z.number().int().nullable().openapi({
      description: "The version of the agent that held the conversation; null if there is none.",
      example: 7,
    }),
    usage: z
      .object({
        input_tokens: whole("Tokens the model read.", 1_840),
        cached_tokens: whole("The number of `input_tokens` that the model's provider read from its cache.", 0),
        output_tokens: whole("Tokens it wrote.", 212),
        requests: whole("Requests to the model, including failed ones.", 1),
      })
      .openapi({
        description: "The tokens that the analysis used, which the conversation's own `usage` does not include.",
      }),
  }),
);

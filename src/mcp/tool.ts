import { z } from "zod";
import type { Effect } from "../account/confirmations/confirm.ts";
import type { AccountStore } from "../kernel/db/account-store.ts";
import type { Bindings, Principal } from "../kernel/http/context.ts";
import type { Scope } from "../kernel/scopes.ts";
import type { Api } from "./api.ts";

/** The context of an assistant's request; `now` is in ms. */
export interface McpContext {
  env: Bindings;
  principal: Principal;
  store: AccountStore;
  now: number;
  api: Api;
  /** The origin that serves the static files. */
  origin: string;
}

/** The result of a tool, for the model and for programs. */
export type Answer = Record<string, unknown>;

/** An act: what it would do, and the function that does it. */
export interface Act {
  /** The scope that the approver must have. */
  scope: Scope;
  effect: Effect;
  /** A sentence that says what would happen, to whom and to how many. */
  summary: string;
  /** The id of the resource that the act changes, for the audit log. */
  on: string;
  /**
   * Versions (ETags) of the data on which the act depends besides its effect. If one of them has changed, the
   * confirmation is void.
   */
  restsOn?: readonly string[];
  confirmed: boolean;
  /** Carries out the act. @throws Refused, also if the confirmed data has changed in the meantime */
  perform(): Promise<Answer>;
}

interface About<I extends z.ZodObject> {
  /** The tool's name, which says what a person wants to do. */
  name: string;
  title: string;
  description: string;
  /** The scopes that a key needs for the tool. A key that lacks one does not see the tool. */
  scopes: readonly Scope[];
  input: I;
  /** The schema of the tool's result. For an act, it is the result after the act is done. */
  output: z.ZodObject;
  /** Whether the tool's results contain texts of callers, visitors or contact lists. */
  strangers?: true;
}

export interface Tool {
  name: string;
  title: string;
  description: string;
  scopes: readonly Scope[];
  input: z.ZodObject;
  /** The schema of every result. */
  output: z.ZodObject;
  strangers: boolean;
  annotations: { readOnlyHint: boolean; destructiveHint: boolean; idempotentHint: boolean; openWorldHint: boolean };
  /** Returns the result of a read, or an act. `args` must already match `input`. */
  use(context: McpContext, args: unknown): Promise<{ answer: Answer } | { act: Act }>;
}

export function looking<I extends z.ZodObject>(
  about: About<I>,
  look: (context: McpContext, args: z.output<I>) => Promise<Answer>,
): Tool {
  return {
    ...shown(about, about.output),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    use: async (context, args) => ({ answer: await look(context, about.input.parse(args)) }),
  };
}

/** Defines a tool that acts. It first determines what the act would do. */
export function acting<I extends z.ZodObject>(
  about: About<I> & { hints: { destructive: boolean; idempotent: boolean; openWorld: boolean } },
  propose: (context: McpContext, args: z.output<I>) => Promise<Act>,
): Tool {
  const { destructive, idempotent, openWorld } = about.hints;
  return {
    ...shown(about, proposal.extend(about.output.partial().shape)),
    annotations: {
      readOnlyHint: false,
      destructiveHint: destructive,
      idempotentHint: idempotent,
      openWorldHint: openWorld,
    },
    use: async (context, args) => ({ act: await propose(context, about.input.parse(args)) }),
  };
}

const shown = <I extends z.ZodObject>(
  { name, title, description, scopes, input, strangers }: About<I>,
  answers: z.ZodObject,
) => ({
  name,
  title,
  description,
  scopes,
  input,
  output: strangers ? answers.extend({ words_of_strangers: z.literal(true) }) : answers,
  strangers: strangers === true,
});

const text = z.string().optional();
/** The output of an act before it is done. Afterwards `done` is true, and the result is next to it. */
const proposal = z.object({
  done: z.boolean().describe("Whether it has been done."),
  summary: text.describe("The effect, the people reached and their number."),
  effect: z
    .object({
      to_numbers: z.array(z.string()),
      count: z.number(),
      details: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
    })
    .optional()
    .describe("The same for programs: the first ten numbers, the number of people, and further details."),
  next: text.describe("How to carry it out."),
  confirm: text.describe("The argument that confirms it."),
  id: text.describe("The confirmation's id."),
  url: text.describe("Where a person agrees or declines."),
  expires_at: text.describe("The time until which it can be confirmed (UTC)."),
});

/** The argument that confirms an act. */
export const confirm = z
  .string()
  .max(200)
  .optional()
  .describe(
    "Leave this out at first. The answer says what would happen and contains the value to send here within 5 " +
      "minutes.",
  );

export const id = (what: string) => z.uuid().describe(what);
/** Returns the schema of the maximum number of list items to show. */
export const limit = (most: number) => z.int().min(1).max(most).default(10).describe(`How many, up to ${most}.`);

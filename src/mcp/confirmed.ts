import {
  acceptedContent,
  type CallToolResult,
  type InputRequiredResult,
  inputRequired,
} from "@modelcontextprotocol/server";
import { z } from "zod";
import { requestConfirmation, takeConfirmation } from "../account/confirmations/confirm.ts";
import { noteAct } from "../account/confirmations/note-act.ts";
import { failure, resultOf } from "./result.ts";
import type { Act, Answer, McpContext, Tool } from "./tool.ts";

/** The client's capabilities and answers in a call. */
export interface Client {
  /** Whether the client can ask its user on the server's behalf (elicitation of 2026-07-28). */
  canAskUser: boolean;
  /** The answers of the client's user. */
  inputResponses: Record<string, unknown> | undefined;
}

const yes = z.object({ agree: z.boolean().describe("Yes, do this") });
const named = z.looseObject({ confirm: z.string().optional() });

/**
 * Carries out an act, after confirmation if required. The first call returns what would happen, and the second one,
 * with `confirm`, does it. A person must approve in between, unless the key is `unattended`.
 */
export async function carryOut(
  context: McpContext,
  tool: Tool,
  sent: unknown,
  proposed: Act,
  client: Client,
): Promise<CallToolResult | InputRequiredResult> {
  const act = asSeen(proposed);
  if (act.confirmed) {
    const args = named.parse(sent);
    const { effect, restsOn = [] } = act;
    if (args.confirm === undefined) return awaitConfirmation(context, tool, args, act);
    const { confirm } = args;
    const order = { tool: tool.name, arguments: args, effect, restsOn, confirm, answered: answerOf(client) };
    const taken = await takeConfirmation(context, order);
    if (taken === "not_approved") return notYet(act, client);
    if (taken !== "taken") return failure(NOT_TAKEN[taken]);
  }
  // Recorded before the act, in addition to the act's own entry, to show that an assistant requested it.
  await noteAct(context, tool.name, act.on);
  const done = resultOf(tool, await act.perform());
  // The act was carried out, even if its result is too long to return.
  return done.isError ? resultOf(tool, { done: true }) : done;
}

/** Makes hidden characters in an act visible to the approver. */
function asSeen(act: Act): Act {
  const { to_numbers, count, details } = act.effect;
  const seen = Object.entries(details).map(([name, value]) => [
    name,
    typeof value === "string" ? visible(value) : value,
  ]);
  const effect = { to_numbers, count, details: Object.fromEntries(seen) };
  return Object.assign({}, act, { effect, summary: visible(act.summary) });
}

/**
 * Returns the answer of the client's user; null if the user was not asked. Any answer but yes is a no, so that users
 * are not asked again until they give in.
 */
function answerOf({ inputResponses }: Client): "yes" | "no" | null {
  if (!inputResponses || !Object.hasOwn(inputResponses, "yes")) return null;
  return acceptedContent(inputResponses, "yes", yes)?.agree === true ? "yes" : "no";
}

const NOT_TAKEN = {
  declined: "a person declined this: do not ask again unless they want you to",
  changed: "the arguments or what they would change are no longer what was confirmed: call again without `confirm`",
  unknown:
    "this `confirm` was already used, is older than 5 minutes or belongs to another key: check whether the " +
    "action was carried out, and if not, call again without `confirm`",
};

async function awaitConfirmation(context: McpContext, tool: Tool, args: Answer, act: Act): Promise<CallToolResult> {
  const { scope, effect, summary, restsOn = [] } = act;
  const order = { scope, tool: tool.name, arguments: args, effect, restsOn, summary };
  const waiting = await requestConfirmation(context, order);
  const next = context.principal.keyTerms?.unattended
    ? "Nothing has been done. To do it, call again with the same arguments and this `confirm`."
    : "Nothing has been done. Call again with the same arguments and this `confirm`. A person has to approve it: " +
      "your client asks them, or they open `url`.";
  const { confirm, id, url, expires_at } = waiting;
  return resultOf(tool, { done: false, summary, effect, next, confirm, id, url, expires_at });
}

/** Returns the result for a missing approval. It asks a client that can ask its user to do so. */
function notYet({ summary, effect }: Act, { canAskUser }: Client): CallToolResult | InputRequiredResult {
  if (!canAskUser)
    return failure(
      "a person has to approve this first: have them open the `url` of the first answer, then repeat this call",
    );
  const details = Object.entries(effect.details).map(([name, value]) => `${name}: ${value}`);
  const message = [summary, ...details].join("\n");
  return inputRequired({ inputRequests: { yes: inputRequired.elicit({ message, requestedSchema: yes }) } });
}

/** Characters that are invisible or reorder other characters. A model still reads them. */
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Default_Ignorable_Code_Point}\u2028\u2029\u2800]/gu;
/** Joiners that are part of a letter or an emoji. They are kept. */
const JOINERS = "\u200c\u200d";
const IS_WRITTEN = new RegExp(
  `[\\n\\t]|(?<=[\\p{L}\\p{M}])[${JOINERS}](?=\\p{L})|(?<=\\p{Emoji}\\ufe0f?)[\\u200d\\ufe0f]`,
  "gu",
);

/** Replaces a text's hidden characters with their code points, so that an approver sees them. */
function visible(text: string): string {
  const written = new Set([...text.matchAll(IS_WRITTEN)].map(({ index }) => index));
  return text.replace(HIDDEN, (char: string, at: number) => (written.has(at) ? char : `⟨U+${numberOf(char)}⟩`));
}

const numberOf = (char: string) => (char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0");

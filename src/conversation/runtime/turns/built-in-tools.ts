import { z } from "zod";
import { spokenLanguages } from "../../../agent/speech/language.ts";
import { CONVERSATION_TOOLS } from "../../../agent/tools/built-in-names.ts";
import type { ConversationEvent } from "../../../records/conversations/events.ts";
import { type PureContext, runPure } from "../built-in/pure-tools.ts";
import type { ModelTool } from "../models/model.ts";
import type { SessionSnapshot } from "../session/session.ts";
import { frameLanguage, languageNow, SET_LANGUAGE } from "./spoken-language.ts";

/** The result of a tool; `ends` is the reason if the conversation ends with it. */
export interface ToolOutcome {
  ok: boolean;
  result: unknown;
  ends?: string;
}

export interface BuiltInActions extends Pick<PureContext, "search"> {
  /** Adds the number to the do-not-call list; false if there is none. */
  optOut(): boolean;
  disposition(value: string, note: string | undefined): void;
  /** Transfers the call to the agent's target with this label. @throws Error with a sentence if it cannot */
  transfer(label: string): Promise<void>;
  /** Switches the client to another language, in the form of its frame. */
  setLanguage(language: string): void;
}

/** The part of a conversation's store that built-in tools read. */
interface Talk {
  session: { snapshot: SessionSnapshot };
  events: readonly ConversationEvent[];
}

const objectOf = (properties: Record<string, object>, required: string[] = []) => ({
  type: "object",
  properties,
  required,
  additionalProperties: false,
});

/** Returns the tools that act on the conversation itself. Every agent of the edge runtime has them. */
function conversationTools(snapshot: SessionSnapshot): ModelTool[] {
  const labels = snapshot.kind === "call" ? snapshot.agent.transfer_targets.map(({ label }) => label) : [];
  const transfer: ModelTool = {
    name: "transfer_call",
    description: "Transfers the caller to a person. Tell the caller first.",
    parameters: objectOf({ label: { type: "string", enum: labels, description: "Whom to transfer to" } }, ["label"]),
  };
  const optOut: ModelTool = {
    name: "opt_out",
    description: "Puts the person's number on the do-not-call list. Use it when they do not want to be called again.",
    parameters: objectOf({}),
  };
  const languages = snapshot.agent.languages.length > 0 ? spokenLanguages(snapshot.agent) : [];
  const setLanguage: ModelTool = {
    name: SET_LANGUAGE,
    description:
      "Changes the language that the other person is understood and spoken to in. Use it before you answer in another language.",
    parameters: objectOf({ language: { type: "string", enum: languages, description: "BCP 47 tag" } }, ["language"]),
  };
  return [
    {
      name: "end_call",
      description: "Ends the conversation. Say goodbye first.",
      parameters: objectOf({ reason: { type: "string", description: "Why, in a few words" } }),
    },
    {
      name: "set_disposition",
      description: "Records how the conversation went, in one snake_case word such as interested or resolved.",
      parameters: objectOf({ value: { type: "string" }, note: { type: "string" } }, ["value"]),
    },
    ...(snapshot.kind === "call" ? [optOut] : []),
    ...(labels.length > 0 ? [transfer] : []),
    ...(languages.length > 0 ? [setLanguage] : []),
  ];
}

/** Returns the tools that models of this conversation have refused, which are no longer offered. */
export function droppedTools(events: readonly ConversationEvent[]): Set<string> {
  return new Set(events.flatMap((event) => (event.type === "usage" && event.dropped_tool) || []));
}

/**
 * Returns the tools that the model may use: the built-in ones, and the account's own that run on the platform (not
 * Python), without those that a model has refused.
 */
export function offeredTools(snapshot: SessionSnapshot, dropped: ReadonlySet<string>): ModelTool[] {
  const others = snapshot.tools.filter(({ name, runs }) => runs === "platform" && !CONVERSATION_TOOLS.includes(name));
  const all = [
    ...conversationTools(snapshot),
    ...others.map(({ name, description, parameters }) => ({ name, description, parameters })),
  ];
  return all.filter(({ name }) => !dropped.has(name));
}

/** Checks whether a tool of the session has no side effects, so that it may run beside others. */
export function isReadIn({ tools }: SessionSnapshot, name: string): boolean {
  return tools.some((tool) => tool.name === name && tool.runs === "platform" && tool.effect === "read");
}

const ARGUMENTS = {
  set_disposition: z.object({ value: z.string().trim().min(1).max(100), note: z.string().max(2_000).optional() }),
  transfer_call: z.object({ label: z.string().trim() }),
  set_language: z.object({ language: z.string().trim() }),
};

/** Runs a built-in tool at `now` (ms); undefined for any other name. */
export async function runBuiltIn(
  name: string,
  given: Record<string, unknown>,
  { session, events }: Talk,
  actions: BuiltInActions,
  now: number,
): Promise<ToolOutcome | undefined> {
  const { snapshot } = session;
  switch (name) {
    case "end_call":
      return { ok: true, result: "the conversation ends", ends: "agent_ended" };
    case "opt_out":
      if (snapshot.kind !== "call" || !actions.optOut())
        return failed("there is no number to put on the do-not-call list");
      return { ok: true, result: "the number is on the do-not-call list" };
    case "set_disposition": {
      const parsed = ARGUMENTS.set_disposition.safeParse(given);
      if (!parsed.success) return failed("value is required: one word for how the conversation went");
      actions.disposition(parsed.data.value, parsed.data.note);
      return { ok: true, result: "noted" };
    }
    case "transfer_call": {
      const parsed = ARGUMENTS.transfer_call.safeParse(given);
      if (!parsed.success) return failed("label is required: one of those that the tool names");
      if (snapshot.kind !== "call") return failed("there is no call to transfer");
      try {
        await actions.transfer(parsed.data.label);
      } catch (error) {
        return failed(error instanceof Error ? error.message : "the carrier did not transfer the call");
      }
      return { ok: true, result: "transferred", ends: "transferred" };
    }
    case SET_LANGUAGE:
      return changeLanguage(ARGUMENTS.set_language.safeParse(given).data?.language, snapshot, actions);
    default: {
      const { timezone, agent } = snapshot;
      return runPure(name, given, { timezone, language: languageNow(events, agent), search: actions.search }, now);
    }
  }
}

function changeLanguage(
  language: string | undefined,
  snapshot: SessionSnapshot,
  { setLanguage }: Pick<BuiltInActions, "setLanguage">,
): ToolOutcome {
  const known = spokenLanguages(snapshot.agent);
  if (language === undefined || !known.includes(language)) return failed(`language must be one of ${known.join(", ")}`);
  const inFrame = frameLanguage(snapshot, language);
  if (inFrame === null)
    return failed(`the carrier of this call cannot change to ${language}: continue in ${snapshot.agent.language}`);
  setLanguage(inFrame);
  return { ok: true, result: `the conversation continues in ${language}` };
}

const failed = (result: string): ToolOutcome => ({ ok: false, result });

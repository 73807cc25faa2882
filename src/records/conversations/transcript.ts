import { projectConversation } from "./projection.ts";
import type { ConversationDetail, ToolUse, Turn } from "./record.ts";
import type { TurnSource } from "./sources.ts";

const OTHER_SIDE: Record<ConversationDetail["kind"], string> = { call: "Caller", widget: "Visitor", test: "Tester" };

/** The most characters of a tool's arguments or result in its line. */
const MAX_VALUE_CHARS = 500;
/** A line break within a turn. */
const INDENTED = "\n        ";

/**
 * Returns a conversation as readable text: a header with the agent's name, then a line for each turn. If an utterance
 * contains line breaks, the lines after them are indented, so that they cannot be mistaken for another turn.
 */
export function transcriptOf(detail: ConversationDetail, agent: string): string {
  const { id, kind, direction, started_at, phone_number, visitor_id, visitor_type, disposition, end_reason } = detail;
  const { duration_ms } = projectConversation(detail);
  const head: [label: string, value: string | null][] = [
    ["Conversation", id],
    ["Date", `${started_at.slice(0, 10)} ${started_at.slice(11, 19)} UTC`],
    ["Kind", kind === "call" ? `${direction ?? ""} call`.trim() : kind],
    ["Agent", agent],
    ["Number", phone_number],
    [OTHER_SIDE[kind], visitor_id === null ? null : `${visitor_id} (${visitor_type})`],
    ["Duration", duration_ms === null ? "live" : clock(duration_ms)],
    ["Ended", end_reason],
    ["Disposition", disposition ?? "none"],
  ];
  const lines = head.flatMap(([label, value]) => (value === null ? [] : [`${label}: ${oneLine(value)}`]));
  const turns = detail.turns.map((turn) => `[${since(started_at, turn.at)}] ${lineOf(turn, kind)}`);
  const { transferred_to, ended_at } = detail;
  if (transferred_to !== null)
    turns.push(`[${since(started_at, ended_at ?? started_at)}] Transferred to ${transferred_to}`);
  return `${[...lines, "", ...turns, ...whyEmpty(detail)].join("\n")}\n`;
}

/** Explains why a conversation in which something was said has no turns. */
function whyEmpty({ storage, turns, turn_count }: ConversationDetail): string[] {
  if (turns.length > 0 || turn_count === 0) return [];
  return [storage === "metadata" ? "(The transcript is not stored.)" : "(The transcript was lost.)"];
}

function lineOf({ role, text, interrupted, tool_call, sources }: Turn, kind: ConversationDetail["kind"]): string {
  if (tool_call) return toolLine(tool_call);
  const who = { agent: "Agent", user: OTHER_SIDE[kind], tool: "Tool" }[role];
  const said = `${text.trim().split(BREAK).join(INDENTED)}${interrupted ? " [interrupted]" : ""}`;
  return [`${who}: ${said}`, ...sources.map(sourceInWords)].join(INDENTED);
}

/** Returns the text for a passage on which a turn is based. */
function sourceInWords({ document_id, chunk, heading }: TurnSource): string {
  return `Source: document ${document_id}, passage ${chunk}${heading === "" ? "" : `, “${oneLine(heading)}”`}`;
}

function toolLine({ name, arguments: given, state, ok, result, duration_ms }: ToolUse): string {
  const call = `Tool: ${oneLine(name)}(${short(given)})`;
  if (state === "running") return `${call} → still running`;
  if (ok === null) return `${call} → no result`;
  const took = duration_ms === null ? "" : ` (${duration_ms} ms)`;
  if (state === "unknown") return `${call} → outcome unknown${took}`;
  return `${call} → ${ok ? "" : "failed: "}${short(result)}${took}`;
}

const BREAK = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/;

function oneLine(text: string): string {
  return text.split(BREAK).join(" ");
}

function short(value: unknown): string {
  const text = oneLine(typeof value === "string" ? value : (JSON.stringify(value) ?? "null"));
  const characters = [...text.slice(0, 2 * MAX_VALUE_CHARS + 2)];
  return characters.length > MAX_VALUE_CHARS ? `${characters.slice(0, MAX_VALUE_CHARS).join("")}…` : text;
}

/** Returns the time since the beginning. An earlier time, from another clock, counts as the beginning. */
function since(started_at: string, at: string): string {
  return clock(Math.max(0, Date.parse(at) - Date.parse(started_at)));
}

/** Formats a duration as `03:07`, or from one hour as `1:03:07`. */
function clock(ms: number): string {
  const seconds = Math.floor(ms / 1_000);
  const two = (n: number) => String(n).padStart(2, "0");
  const [h, m, s] = [Math.floor(seconds / 3_600), Math.floor(seconds / 60) % 60, seconds % 60];
  return h === 0 ? `${two(m)}:${two(s)}` : `${h}:${two(m)}:${two(s)}`;
}

import type { Body } from "../../api/client.ts";

type Detail = Body<"ConversationDetail">;
type Turn = Body<"ConversationTurn">;
type ToolResult = Body<"ConversationToolResultEvent">;

/** An event of the stream as it came. */
interface StreamEvent {
  id: string;
  name: string;
  data: string;
}

/** A conversation as it is watched. */
export interface Watched {
  detail: Detail;
  /** Results by the tool's use: one may come before its use does. */
  results: Map<string, ToolResult>;
}

/**
 * A conversation after another event of its stream; undefined until the first snapshot. The snapshot that begins a
 * resumed stream has no id and is skipped: everything that was missed follows it as events.
 */
export function afterEvent(watched: Watched | undefined, { id, name, data }: StreamEvent): Watched | undefined {
  if (name === "snapshot") {
    const detail: Detail = JSON.parse(data);
    return watched && id === "" ? watched : { detail, results: new Map() };
  }
  return watched && afterHappening(watched, name, data);
}

/** What most turns have nothing of. */
const PLAIN = { interrupted: false, lang: null, finish: null, tool_call: null };

function afterHappening(watched: Watched, name: string, data: string): Watched {
  const { detail, results } = watched;
  switch (name) {
    case "user_turn": {
      const event: Body<"ConversationUserTurnEvent"> = JSON.parse(data);
      const { seq, at, text, lang = null } = event;
      return withTurn(watched, { ...PLAIN, seq, at, role: "user", text, lang });
    }
    case "agent_turn": {
      const event: Body<"ConversationAgentTurnEvent"> = JSON.parse(data);
      const { seq, at, text, heard, interrupted = false, lang = null, finish = null } = event;
      const spokenText = interrupted ? (heard ?? text) : text;
      return withTurn(watched, { ...PLAIN, seq, at, role: "agent", text: spokenText, interrupted, lang, finish });
    }
    case "tool_call": {
      const {
        seq,
        at,
        tool_call_id,
        run_id,
        name: tool,
        arguments: given,
      }: Body<"ConversationToolCallEvent"> = JSON.parse(data);
      const result = results.get(useOf({ tool_call_id, run_id: run_id ?? null }));
      const tool_call = {
        tool_call_id,
        run_id: run_id ?? null,
        name: tool,
        arguments: given,
        state: result ? stateOf(result) : ("running" as const),
        ok: result?.ok ?? null,
        result: result?.result ?? null,
        duration_ms: result?.duration_ms ?? null,
      };
      return withTurn(watched, { ...PLAIN, seq, at, role: "tool", text: tool, tool_call });
    }
    case "tool_result": {
      const result: ToolResult = JSON.parse(data);
      const turns = turnsOf(detail).map((turn) => withResult(turn, result));
      return { detail: { ...detail, turns }, results: new Map(results).set(useOf(result), result) };
    }
    case "disposition": {
      const { value }: Body<"ConversationDispositionEvent"> = JSON.parse(data);
      return { ...watched, detail: { ...detail, disposition: value } };
    }
    case "opt_out":
      return { ...watched, detail: { ...detail, opted_out: true } };
    default:
      return watched;
  }
}

/** A user who may watch may also read, so a live conversation always has its turns. */
const turnsOf = ({ turns }: Watched["detail"]): Turn[] => turns ?? [];

function withTurn(watched: Watched, turn: Turn): Watched {
  const { detail } = watched;
  const earlier = turnsOf(detail);
  const placed = { ...turn, seq: turn.seq > 0 ? turn.seq : numberBefore(earlier, turn) };
  const before = earlier.findLastIndex(({ seq }) => seq <= placed.seq);
  const turns = [...earlier.slice(0, before + 1), placed, ...earlier.slice(before + 1)];
  const isTool = turn.role === "tool";
  return {
    ...watched,
    detail: {
      ...detail,
      turns,
      turn_count: detail.turn_count + (isTool ? 0 : 1),
      tool_call_count: detail.tool_call_count + (isTool ? 1 : 0),
    },
  };
}

/** Turns the service itself recorded next to a runtime's events have the number of the turn before them. */
function numberBefore(turns: Turn[], { at }: Turn): number {
  return turns.findLast((turn) => Date.parse(turn.at) <= Date.parse(at))?.seq ?? 0;
}

function withResult(turn: Turn, reported: ToolResult): Turn {
  if (!turn.tool_call || useOf(turn.tool_call) !== useOf(reported)) return turn;
  const { ok, result, duration_ms } = reported;
  return { ...turn, tool_call: { ...turn.tool_call, state: stateOf(reported), ok, result, duration_ms } };
}

/** The tool use that it belongs to: an interrupted one may be made again under its id, with another run. */
function useOf({ tool_call_id, run_id }: { tool_call_id: string; run_id?: string | null | undefined }): string {
  return `${run_id ?? ""} ${tool_call_id}`;
}

function stateOf({ ok, state }: ToolResult): "ok" | "failed" | "unknown" {
  return state ?? (ok ? "ok" : "failed");
}

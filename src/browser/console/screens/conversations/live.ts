import type { Body } from "../../api/client.ts";

type Detail = Body<"ConversationDetail">;
type Turn = Body<"ConversationTurn">;
type ToolResult = Body<"ConversationToolResultEvent">;

/** An unparsed event of the stream. */
interface StreamEvent {
  id: string;
  name: string;
  data: string;
}

/** A conversation that is followed through its stream. */
export interface Watched {
  detail: Detail;
  /** Tool results by tool use. A result may arrive before its use. */
  results: Map<string, ToolResult>;
}

/**
 * Returns the conversation after another event of its stream; undefined until the first snapshot. The snapshot at the
 * start of a resumed stream has no ID and is skipped, because all missed events follow it.
 */
export function afterEvent(watched: Watched | undefined, { id, name, data }: StreamEvent): Watched | undefined {
  if (name === "snapshot") {
    const detail: Detail = JSON.parse(data);
    return watched && id === "" ? watched : { detail, results: new Map() };
  }
  return watched && afterHappening(watched, name, data);
}

/** The values that most turns have in these fields. */
const PLAIN = { interrupted: false, lang: null, finish: null, tool_call: null, sources: [] };

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
      const { seq, at, text, heard, interrupted = false, lang = null, finish = null, sources = [] } = event;
      const spokenText = interrupted ? (heard ?? text) : text;
      return withTurn(watched, {
        ...PLAIN,
        seq,
        at,
        role: "agent",
        text: spokenText,
        interrupted,
        lang,
        finish,
        sources,
      });
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

/** Returns the turns of a live conversation. They are always present, because a user who may watch may also read. */
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

/** Returns the number for a turn that the service recorded between the runtime's events: that of the turn before it. */
function numberBefore(turns: Turn[], { at }: Turn): number {
  return turns.findLast((turn) => Date.parse(turn.at) <= Date.parse(at))?.seq ?? 0;
}

function withResult(turn: Turn, reported: ToolResult): Turn {
  if (!turn.tool_call || useOf(turn.tool_call) !== useOf(reported)) return turn;
  const { ok, result, duration_ms } = reported;
  return { ...turn, tool_call: { ...turn.tool_call, state: stateOf(reported), ok, result, duration_ms } };
}

/** Returns the key of a tool use. An interrupted use may be repeated with the same ID and another run. */
function useOf({ tool_call_id, run_id }: { tool_call_id: string; run_id?: string | null | undefined }): string {
  return `${run_id ?? ""} ${tool_call_id}`;
}

function stateOf({ ok, state }: ToolResult): "ok" | "failed" | "unknown" {
  return state ?? (ok ? "ok" : "failed");
}

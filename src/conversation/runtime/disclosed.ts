import type { ConversationEvent } from "../../records/conversations/events.ts";
import type { ConversationRow as LedgerRow } from "../../records/ledger/report.ts";
import type { SessionSnapshot } from "./session/session.ts";

/** What decides how a conversation was disclosed. */
interface Held {
  snapshot: Pick<SessionSnapshot, "kind" | "disclosure">;
  events: readonly ConversationEvent[];
  held_by: "edge" | "own" | null;
  /** ms; null while it is live. */
  ended_at: number | null;
  /** ms */
  started_at: number;
}

/** Whether an event is the turn in which the agent says what it is. */
export function isDisclosure(event: ConversationEvent, { disclosure }: Pick<SessionSnapshot, "disclosure">): boolean {
  return event.type === "agent_turn" && disclosure !== null && event.text === disclosure.text;
}

/** How and when (ISO 8601) it was said what the agent is; null if nothing had to be said, and while it is not decided. */
export function disclosedIn(held: Held): Pick<LedgerRow, "disclosed" | "disclosed_at"> {
  const { snapshot, started_at, ended_at } = held;
  if (snapshot.disclosure === null) return { disclosed: null, disclosed_at: null };
  if (snapshot.disclosure.spoken) return { disclosed: "spoken", disclosed_at: new Date(started_at).toISOString() };
  const said = held.held_by === "own" ? reportedIn(held) : saidIn(held);
  return said ?? { disclosed: ended_at === null ? null : "missing", disclosed_at: null };
}

/** A caller has to have heard all of it; a page or a console shows it whole at once. */
function saidIn({ snapshot, events }: Held) {
  const isCall = snapshot.kind === "call";
  const turn = events.find(
    (event) => event.type === "agent_turn" && isDisclosure(event, snapshot) && !(isCall && event.interrupted),
  );
  return turn && { disclosed: isCall ? ("spoken" as const) : ("shown" as const), disclosed_at: turn.at };
}

/** A runtime's report counts unless its agent said anything else before. */
function reportedIn({ snapshot: { disclosure }, events }: Held) {
  const reported = events.find(({ type }) => type === "disclosed");
  const isLate = events.some(
    (event) =>
      event.type === "agent_turn" &&
      event.seq < (reported?.seq ?? 0) &&
      !(disclosure !== null && event.text.includes(disclosure.text)),
  );
  return reported && !isLate ? { disclosed: "reported" as const, disclosed_at: reported.at } : null;
}

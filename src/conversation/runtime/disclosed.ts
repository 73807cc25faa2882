import type { ConversationEvent } from "../../records/conversations/events.ts";
import type { ConversationRow as LedgerRow } from "../../records/ledger/report.ts";
import type { SessionSnapshot } from "./session/session.ts";

/** The facts that determine how a conversation was disclosed. */
interface Held {
  snapshot: Pick<SessionSnapshot, "kind" | "disclosure">;
  events: readonly ConversationEvent[];
  held_by: "edge" | "own" | null;
  /** Milliseconds; null while it is live. */
  ended_at: number | null;
  /** Milliseconds. */
  started_at: number;
}

/** Checks whether an event is the agent's disclosure. */
export function isDisclosure(event: ConversationEvent, { disclosure }: Pick<SessionSnapshot, "disclosure">): boolean {
  return event.type === "agent_turn" && disclosure !== null && event.text === disclosure.text;
}

/** Returns how and when (ISO 8601) the disclosure was made; null if none was required, or while it is undecided. */
export function disclosedIn(held: Held): Pick<LedgerRow, "disclosed" | "disclosed_at"> {
  const { snapshot, started_at, ended_at } = held;
  if (snapshot.disclosure === null) return { disclosed: null, disclosed_at: null };
  if (snapshot.disclosure.spoken) return { disclosed: "spoken", disclosed_at: new Date(started_at).toISOString() };
  const said = held.held_by === "own" ? reportedIn(held) : saidIn(held);
  return said ?? { disclosed: ended_at === null ? null : "missing", disclosed_at: null };
}

/** Finds the disclosure. A caller must have heard all of it; a page or console shows it completely at once. */
function saidIn({ snapshot, events }: Held) {
  const isCall = snapshot.kind === "call";
  const turn = events.find(
    (event) => event.type === "agent_turn" && isDisclosure(event, snapshot) && !(isCall && event.interrupted),
  );
  return turn && { disclosed: isCall ? ("spoken" as const) : ("shown" as const), disclosed_at: turn.at };
}

/** Finds a custom runtime's report of the disclosure, which counts only if its agent had said nothing else before. */
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

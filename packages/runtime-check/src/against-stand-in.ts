import type { ConversationEvent } from "./contract.ts";
import { doubled } from "./ledger.ts";
import { hasFinished, type Line, type Party, until } from "./line.ts";
import type { Report } from "./report.ts";
import { DISCLOSURE, type Session, type StandIn } from "./stand-in.ts";

/** The inputs of the checks. */
export interface Stage {
  report: Report;
  standIn: StandIn;
  /** Opens another call or visit with this token. */
  open(party: Party): Line;
  /** Timeout of any step of the runtime, ms. */
  timeoutMs: number;
  /** Whether the carrier sends a frame at the end of the call and lets the runtime close the socket. */
  sendsStop: boolean;
  /** Whether it plays audio, which can be interrupted. */
  playsSound: boolean;
}

/** An interruption must take effect within this time, ms. */
const INTERRUPTED_WITHIN_MS = 2_000;
/** How long to wait for a reaction that a runtime shows at once or never, ms. */
const SETTLED_MS = 400;
/** How long a runtime must stay silent after it learned that the session has ended, ms. */
const STAYS_SILENT_MS = 2_500;
/** A request that is never answered must be abandoned within this many timeouts. */
const GIVES_UP_WITHIN = 3;

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const has = ({ ledger }: Session, type: string, after = 0) =>
  ledger.events.some((event) => event.type === type && event.seq > after);

/** Checks the runtime in calls against a stand-in that serves the contract. */
export async function checkAgainstStandIn(stage: Stage): Promise<void> {
  if (!(await wholeCall(stage))) return;
  await Promise.all([twoCalls(stage), refusedSession(stage), endedSession(stage)]);
  const { report, standIn } = stage;
  report.clean("uses only tokens it was given", [...new Set(standIn.strangers)]);
}

/** Holds one call from beginning to end and returns whether to continue. */
async function wholeCall(stage: Stage): Promise<boolean> {
  const { report, standIn, timeoutMs } = stage;
  const session = standIn.issue({ events: ["500"] });
  const line = stage.open(session);
  const within = `within ${seconds(timeoutMs)}`;
  try {
    if (
      !report.must(
        "accepts the connection",
        await line.opened,
        "nothing answers at that address, or it is not a WebSocket server",
      )
    )
      return false;
    line.begin();
    const began = Date.now();
    const requested = await until(() => session.givenAt !== null, timeoutMs);
    const where = `no GET ${standIn.url}/api/runtime/v1/session with the token ${within}: was it started with SWITCHBOARD_URL=${standIn.url}?`;
    const alone = standIn.strangers.find((stranger) => stranger.includes("X-Visitor-Token"));
    if (!report.must("requests the session with the call's token", requested, alone ?? where)) return false;

    const spoke = await until(() => line.spokeAt > 0, timeoutMs);
    report.must("says its greeting", spoke, `nothing was heard ${within}`, seconds(line.spokeAt - began));
    if (spoke) await until(() => hasFinished(line), timeoutMs);
    const greeted = await until(() => has(session, "agent_turn"), timeoutMs);
    report.must("reports its greeting", greeted, `no agent_turn ${within}`);
    if (greeted) {
      await until(() => has(session, "disclosed"), SETTLED_MS);
      report.must("says session.disclosure first, and reports disclosed", ...disclosure(session));
    }
    const repeated = await until(() => session.ledger.received > 0 && session.ledger.repeatedAll, timeoutMs);
    const why = session.ledger.received === 0 ? "no events arrived" : `the events were not repeated ${within}`;
    report.must("repeats events after a 500, with the same numbers", repeated, why);

    const before = session.ledger.through;
    line.sendOddity();
    const died = await until(() => line.closedWith !== null, SETTLED_MS);
    if (!died) await line.say();
    const survived = line.closedWith === null;
    report.must("continues after an unknown frame", survived, `closed the socket (${line.closedWith})`);
    if (survived) await conversation(stage, session, line, before);
    await end(stage, session, line);
    return true;
  } finally {
    line.drop();
  }
}

/** Checks whether a runtime reported the disclosure before anything else; otherwise explains what is wrong. */
function disclosure({ ledger: { events } }: Session): [ok: boolean, why: string] {
  const disclosed = events.find(({ type }) => type === "disclosed");
  if (!disclosed) return [false, "no disclosed, though session.disclosure.spoken is false"];
  const isOther = (event: ConversationEvent) => event.type === "agent_turn" && !event.text.includes(DISCLOSURE);
  const isLate = events.some((event) => isOther(event) && event.seq < disclosed.seq);
  return [!isLate, "an agent_turn with other words comes before disclosed"];
}

/** Lets the caller speak and then interrupt the answer. */
async function conversation(stage: Stage, session: Session, line: Line, before: number): Promise<void> {
  const { report, timeoutMs } = stage;
  const within = `within ${seconds(timeoutMs)}`;
  const spokenAt = Date.now();
  const answered = await until(() => line.spokeAt >= spokenAt, timeoutMs);
  report.must("answers the caller", answered, `nothing was heard ${within}`, seconds(line.spokeAt - spokenAt));
  if (answered) await until(() => hasFinished(line), timeoutMs);
  const reported = await until(
    () => has(session, "user_turn", before) && has(session, "agent_turn", before),
    timeoutMs,
  );
  const types = session.ledger.events.map(({ type }) => type).join(", ");
  report.must(
    "reports what both sides said",
    reported,
    `no user_turn and agent_turn ${within}, but ${types || "nothing"}`,
  );
  if (reported && stage.playsSound) await interruption(stage, session, line);
}

async function interruption({ report, timeoutMs }: Stage, session: Session, line: Line): Promise<void> {
  await line.say();
  const spokenAt = Date.now();
  if (!(await until(() => line.spokeAt > spokenAt && line.speaking, timeoutMs))) return;
  const before = { clears: line.clears, seq: session.ledger.through };
  const cutAt = Date.now();
  const speaking = line.say();
  await until(() => line.clears > before.clears || !line.speaking, INTERRUPTED_WITHIN_MS);
  const quick = line.clears > before.clears;
  const took = seconds(Date.now() - cutAt);
  await speaking;
  const why = `no clear within ${seconds(INTERRUPTED_WITHIN_MS)} after the caller started speaking`;
  report.should("stops when the caller interrupts", quick, why, took);
  const marked = await until(
    () => session.ledger.events.some((one) => one.type === "agent_turn" && one.interrupted && one.seq > before.seq),
    SETTLED_MS * 3,
  );
  report.should("marks the interrupted turn", marked, "no agent_turn with interrupted: true");
}

async function end(stage: Stage, session: Session, line: Line): Promise<void> {
  const { report, timeoutMs, sendsStop } = stage;
  line.leave();
  const within = `within ${seconds(timeoutMs)}`;
  const closed = await until(() => line.closedWith !== null, timeoutMs);
  if (sendsStop) report.must("closes the connection when the call ends", closed, `the socket did not close ${within}`);
  const ended = await until(() => has(session, "ended"), timeoutMs);
  report.must("reports the end", ended, `no ended ${within}`);
  await until(() => false, SETTLED_MS);
  const { ledger } = session;
  report.clean("numbers its events from 1, well formed, without gaps, nothing after the end", ledger.complaints);
  report.clean("reports nothing twice", doubled(ledger.events), `${ledger.events.length} events`);
  report.clean("sends only frames that the protocol defines", [...new Set(line.unknown)]);
}

/** Holds two calls at once. One loses a response, and the other has a request that never gets one. */
async function twoCalls(stage: Stage): Promise<void> {
  const { report, standIn, timeoutMs } = stage;
  const lost = standIn.issue({ session: ["500"], events: ["lost"] });
  const hung = standIn.issue({ events: ["hang"] });
  const lines = await Promise.all([lost, hung].map((session) => shortCall(stage, session)));
  const spoke = lines.filter(({ spokeAt }) => spokeAt > 0).length;
  const held = [lost, hung].filter(({ givenAt }) => givenAt !== null).length;
  const both = `${held} of 2 sessions were requested, ${spoke} of 2 callers heard something`;
  report.must("holds two calls at once", spoke === 2 && held === 2, both);
  const again = lost.requestedAt.length > 1;
  report.should("requests the session again after a 500", again, "it gave up the call");
  if (again) {
    const repeated = await until(() => lost.ledger.received > 0 && lost.ledger.repeatedAll, timeoutMs);
    report.must("repeats events if the response was lost", repeated, "they were not repeated");
  }
  const allReported = () => hung.ledger.received > 0 && hung.ledger.repeatedAll && has(hung, "ended");
  const gaveUp = await until(allReported, GIVES_UP_WITHIN * timeoutMs);
  const slow = `they were not all repeated within ${seconds(GIVES_UP_WITHIN * timeoutMs)}`;
  report.must("gives up on a request without a response, and reports everything after the call", gaveUp, slow);
  const complaints = [lost, hung].flatMap(({ ledger }) => [...ledger.complaints, ...doubled(ledger.events)]);
  report.clean("keeps the two calls apart", complaints);
}

/** Holds a call in which only the runtime speaks. */
async function shortCall(stage: Stage, session: Session): Promise<Line> {
  const { timeoutMs } = stage;
  const line = stage.open(session);
  if (!(await line.opened)) return line;
  line.begin();
  await until(() => line.spokeAt > 0 || line.closedWith !== null, timeoutMs);
  await until(() => hasFinished(line) || line.closedWith !== null, timeoutMs);
  await until(() => session.ledger.received > 0, timeoutMs);
  line.leave();
  await until(() => line.closedWith !== null, timeoutMs);
  line.drop();
  return line;
}

/** Begins a call whose session has already ended. */
async function refusedSession({ report, standIn, open, timeoutMs }: Stage): Promise<void> {
  const session = standIn.issue();
  session.over = true;
  const line = open(session);
  if (await line.opened) line.begin();
  const closed = await until(() => line.closedWith !== null, timeoutMs);
  const why = `the socket is still open ${seconds(timeoutMs)} after 403 session_ended`;
  report.must(
    "closes the connection when its session is refused",
    closed && line.spokeAt === 0,
    closed ? "it spoke" : why,
  );
  line.drop();
}

/** Ends a session during its call. */
async function endedSession(stage: Stage): Promise<void> {
  const { report, standIn, open, timeoutMs } = stage;
  const session = standIn.issue({ events: ["ended"] });
  const line = open(session);
  if (await line.opened) line.begin();
  const reported = await until(() => session.afterTheEnd.length > 0, timeoutMs);
  const letGo = reported && (await until(() => line.closedWith !== null, STAYS_SILENT_MS));
  line.leave();
  await until(() => false, STAYS_SILENT_MS);
  const [first = 0, ...later] = session.afterTheEnd;
  const tries = later.filter((at) => at > first + SETTLED_MS).length;
  const why = reported ? `${tries} requests with events arrived after that` : "no events arrived at all";
  report.must("reports nothing more after 403 session_ended", reported && tries === 0, why);
  report.should(
    "closes the connection after 403 session_ended",
    letGo,
    "the caller is still connected, but nothing is recorded any more",
  );
  line.drop();
}

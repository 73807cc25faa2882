import { doubled } from "./ledger.ts";
import { hasFinished, type Line, type Party, until } from "./line.ts";
import type { Report } from "./report.ts";
import type { Session, StandIn } from "./stand-in.ts";

/** What the checks go by. */
export interface Stage {
  report: Report;
  standIn: StandIn;
  /** Another call or visit, with this token. */
  open(party: Party): Line;
  /** How long a runtime may take for anything, ms. */
  patienceMs: number;
  /** Whether the carrier says that the call is over, and leaves it to the runtime to close the socket. */
  saysStop: boolean;
  /** Whether it plays sound, which can be cut off. */
  playsSound: boolean;
}

/** An interruption is heard within this time, ms. */
const INTERRUPTED_WITHIN_MS = 2_000;
/** Who asks again right away sees the same, ms. */
const SETTLED_MS = 400;
/** For so long nothing must come once a runtime was told that the session has ended, ms. */
const STAYS_SILENT_MS = 2_500;
/** What is never answered must be given up within so many times the patience. */
const GIVES_UP_WITHIN = 3;

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
const has = ({ ledger }: Session, type: string, after = 0) =>
  ledger.events.some((event) => event.type === type && event.seq > after);

/** Has the runtime hold calls, with the contract served here, and reports what is right and wrong with them. */
export async function checkAgainstStandIn(stage: Stage): Promise<void> {
  if (!(await wholeCall(stage))) return;
  await Promise.all([twoCalls(stage), refusedSession(stage), endedSession(stage)]);
  const { report, standIn } = stage;
  report.clean("uses only tokens it was given", [...new Set(standIn.strangers)]);
}

/** One call from its beginning to its end; gives whether there is any use in going on. */
async function wholeCall(stage: Stage): Promise<boolean> {
  const { report, standIn, patienceMs } = stage;
  const session = standIn.issue({ events: ["500"] });
  const line = stage.open(session);
  const within = `within ${seconds(patienceMs)}`;
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
    const asked = await until(() => session.givenAt !== null, patienceMs);
    const where = `no GET ${standIn.url}/api/runtime/v1/session with the token ${within}: was it started with SWITCHBOARD_URL=${standIn.url}?`;
    const alone = standIn.strangers.find((stranger) => stranger.includes("X-Visitor-Token"));
    if (!report.must("requests the session with the call's token", asked, alone ?? where)) return false;

    const spoke = await until(() => line.spokeAt > 0, patienceMs);
    report.must("says its greeting", spoke, `nothing was heard ${within}`, seconds(line.spokeAt - began));
    if (spoke) await until(() => hasFinished(line), patienceMs);
    const greeted = await until(() => has(session, "agent_turn"), patienceMs);
    report.must("reports its greeting", greeted, `no agent_turn ${within}`);
    const repeated = await until(() => session.ledger.told > 0 && session.ledger.repeatedAll, patienceMs);
    const why = session.ledger.told === 0 ? "no events arrived" : `the events were not repeated ${within}`;
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

/** The caller has said something, and cuts in on the answer to what is said next. */
async function conversation(stage: Stage, session: Session, line: Line, before: number): Promise<void> {
  const { report, patienceMs } = stage;
  const within = `within ${seconds(patienceMs)}`;
  const saidAt = Date.now();
  const answered = await until(() => line.spokeAt >= saidAt, patienceMs);
  report.must("answers the caller", answered, `nothing was heard ${within}`, seconds(line.spokeAt - saidAt));
  if (answered) await until(() => hasFinished(line), patienceMs);
  const told = await until(() => has(session, "user_turn", before) && has(session, "agent_turn", before), patienceMs);
  const types = session.ledger.events.map(({ type }) => type).join(", ");
  report.must("reports what both sides said", told, `no user_turn and agent_turn ${within}, but ${types || "nothing"}`);
  if (told && stage.playsSound) await interruption(stage, session, line);
}

/** The caller cuts in on the answer. */
async function interruption({ report, patienceMs }: Stage, session: Session, line: Line): Promise<void> {
  await line.say();
  const saidAt = Date.now();
  if (!(await until(() => line.spokeAt > saidAt && line.speaking, patienceMs))) return;
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

/** The call is over. */
async function end(stage: Stage, session: Session, line: Line): Promise<void> {
  const { report, patienceMs, saysStop } = stage;
  line.leave();
  const within = `within ${seconds(patienceMs)}`;
  const closed = await until(() => line.closedWith !== null, patienceMs);
  if (saysStop) report.must("closes the connection when the call ends", closed, `the socket did not close ${within}`);
  const ended = await until(() => has(session, "ended"), patienceMs);
  report.must("reports the end", ended, `no ended ${within}`);
  await until(() => false, SETTLED_MS);
  const { ledger } = session;
  report.clean("numbers its events from 1, well formed, without gaps, nothing after the end", ledger.complaints);
  report.clean("reports nothing twice", doubled(ledger.events), `${ledger.events.length} events`);
  report.clean("sends only frames that the protocol defines", [...new Set(line.unknown)]);
}

/** Two calls at once: of one an answer is lost, of the other a request is never answered. */
async function twoCalls(stage: Stage): Promise<void> {
  const { report, standIn, patienceMs } = stage;
  const lost = standIn.issue({ session: ["500"], events: ["lost"] });
  const hung = standIn.issue({ events: ["hang"] });
  const lines = await Promise.all([lost, hung].map((session) => shortCall(stage, session)));
  const spoke = lines.filter(({ spokeAt }) => spokeAt > 0).length;
  const held = [lost, hung].filter(({ givenAt }) => givenAt !== null).length;
  const both = `${held} of 2 sessions were requested, ${spoke} of 2 callers heard something`;
  report.must("holds two calls at once", spoke === 2 && held === 2, both);
  const again = lost.asked.length > 1;
  report.should("requests the session again after a 500", again, "it gave up the call");
  if (again) {
    const repeated = await until(() => lost.ledger.told > 0 && lost.ledger.repeatedAll, patienceMs);
    report.must("repeats events if the response was lost", repeated, "they were not repeated");
  }
  const allTold = () => hung.ledger.told > 0 && hung.ledger.repeatedAll && has(hung, "ended");
  const gaveUp = await until(allTold, GIVES_UP_WITHIN * patienceMs);
  const slow = `they were not all repeated within ${seconds(GIVES_UP_WITHIN * patienceMs)}`;
  report.must("gives up on a request without a response, and reports everything after the call", gaveUp, slow);
  const complaints = [lost, hung].flatMap(({ ledger }) => [...ledger.complaints, ...doubled(ledger.events)]);
  report.clean("keeps the two calls apart", complaints);
}

/** A call in which nobody says anything but the runtime. */
async function shortCall(stage: Stage, session: Session): Promise<Line> {
  const { patienceMs } = stage;
  const line = stage.open(session);
  if (!(await line.opened)) return line;
  line.begin();
  await until(() => line.spokeAt > 0 || line.closedWith !== null, patienceMs);
  await until(() => hasFinished(line) || line.closedWith !== null, patienceMs);
  await until(() => session.ledger.told > 0, patienceMs);
  line.leave();
  await until(() => line.closedWith !== null, patienceMs);
  line.drop();
  return line;
}

/** A call whose session is over before it begins. */
async function refusedSession({ report, standIn, open, patienceMs }: Stage): Promise<void> {
  const session = standIn.issue();
  session.over = true;
  const line = open(session);
  if (await line.opened) line.begin();
  const closed = await until(() => line.closedWith !== null, patienceMs);
  const why = `the socket is still open ${seconds(patienceMs)} after 403 session_ended`;
  report.must(
    "closes the connection when its session is refused",
    closed && line.spokeAt === 0,
    closed ? "it spoke" : why,
  );
  line.drop();
}

/** A call whose session ends while it is under way. */
async function endedSession(stage: Stage): Promise<void> {
  const { report, standIn, open, patienceMs } = stage;
  const session = standIn.issue({ events: ["ended"] });
  const line = open(session);
  if (await line.opened) line.begin();
  const told = await until(() => session.afterTheEnd.length > 0, patienceMs);
  const letGo = told && (await until(() => line.closedWith !== null, STAYS_SILENT_MS));
  line.leave();
  await until(() => false, STAYS_SILENT_MS);
  const [first = 0, ...later] = session.afterTheEnd;
  const tries = later.filter((at) => at > first + SETTLED_MS).length;
  const why = told ? `${tries} requests with events arrived after that` : "no events arrived at all";
  report.must("reports nothing more after 403 session_ended", told && tries === 0, why);
  report.should(
    "closes the connection after 403 session_ended",
    letGo,
    "the caller is still connected, but nothing is recorded any more",
  );
  line.drop();
}

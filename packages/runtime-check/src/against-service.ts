import { hasFinished, type Line, type Party, until } from "./line.ts";
import type { Report } from "./report.ts";
import { type Begun, type Conversation, GREETING } from "./service.ts";

export interface ServiceStage {
  report: Report;
  begin(): Promise<Begun>;
  open(party: Party): Line;
  timeoutMs: number;
  sendsStop: boolean;
  /** Whether the API ends the conversation. The visitor of a closed page may come back. */
  endsByApi: boolean;
}

const SETTLED_MS = 400;
const LOOK_EVERY_MS = 100;

/** Checks the runtime in calls of a running Switchboard, by the resulting records. */
export async function checkAgainstService(stage: ServiceStage): Promise<void> {
  if (!(await wholeCall(stage))) return;
  await Promise.all([twoAtOnce(stage), wrongToken(stage)]);
}

async function wholeCall(stage: ServiceStage): Promise<boolean> {
  const { report, timeoutMs, sendsStop, endsByApi } = stage;
  const within = `within ${(timeoutMs / 1000).toFixed(1)} s`;
  const begun = await stage.begin();
  const line = stage.open(begun);
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
    const spoke = await until(() => line.spokeAt > 0, timeoutMs);
    const closed = line.closedWith === null ? "" : `; the socket closed with ${line.closedWith}`;
    if (!report.must("says its greeting", spoke, `nothing was heard ${within}${closed}`)) return false;
    await until(() => hasFinished(line), timeoutMs);
    line.sendOddity();
    await until(() => line.closedWith !== null, SETTLED_MS);
    const survived = line.closedWith === null;
    if (!report.must("continues after an unknown frame", survived, `closed the socket (${line.closedWith})`))
      return true;
    // Compared with the greeting, because an answer may arrive in the same millisecond as the question.
    const greetedAt = line.spokeAt;
    await line.say();
    report.must(
      "answers the caller",
      await until(() => line.spokeAt > greetedAt, timeoutMs),
      `nothing was heard ${within}`,
    );
    await until(() => hasFinished(line), timeoutMs);
    report.clean("sends only frames that the protocol defines", [...new Set(line.unknown)]);
    if (endsByApi) await begun.hangUp();
    else line.leave();
    if (sendsStop || endsByApi) {
      const closed = await until(() => line.closedWith !== null, timeoutMs);
      report.must("closes the connection when the call ends", closed, `the socket did not close ${within}`);
    }
    judge(report, await ended(begun, timeoutMs), within);
    return true;
  } finally {
    line.drop();
    await begun.hangUp().catch(() => {});
  }
}

/** Returns the conversation once its record is complete, or its current state after the timeout. */
async function ended(begun: Begun, timeoutMs: number): Promise<Conversation | null> {
  for (let waitedMs = 0; ; waitedMs += LOOK_EVERY_MS) {
    const record = await begun.record();
    if (record?.complete || waitedMs >= timeoutMs) return record;
    await until(() => false, LOOK_EVERY_MS);
  }
}

function judge(report: Report, record: Conversation | null, within: string): void {
  if (
    !report.must("has its conversation on record", record !== null, "there is no conversation for the call") ||
    !record
  )
    return;
  const roles = record.turns.map(({ role }) => role).join(", ");
  const [first] = record.turns;
  const greeted = first?.role === "agent" && first.text === GREETING;
  report.must(
    "has its greeting on record",
    greeted,
    first ? `the first turn is "${first.text}"` : "there are no turns",
  );
  const hasBothSides = /user, .*agent/.test(roles);
  report.must(
    "has both sides on record",
    hasBothSides,
    `there is only: ${roles || "nothing"}`,
    `${record.turns.length} turns`,
  );
  const why = `it is ${record.status}, with complete: ${record.complete}, ${within}`;
  report.must("has a complete record", record.complete && record.status === "ended", why, `${record.end_reason}`);
}

async function twoAtOnce({ report, begin, open, timeoutMs }: ServiceStage): Promise<void> {
  const both = [await begin(), await begin()];
  const lines = both.map((begun) => open(begun));
  for (const line of lines) if (await line.opened) line.begin();
  const spoke = await until(() => lines.every(({ spokeAt }) => spokeAt > 0), timeoutMs);
  report.must("holds two calls at once", spoke, "one of the two callers heard nothing");
  for (const line of lines) line.leave();
  for (const begun of both) await begun.hangUp().catch(() => {});
  for (const line of lines) line.drop();
}

async function wrongToken({ report, open, timeoutMs }: ServiceStage): Promise<void> {
  const line = open({ token: "eyJhbGciOiJFUzI1NiJ9.eyJzdWIiOiJub2JvZHkifQ.AAAA", call_id: crypto.randomUUID() });
  // A connection that is refused before any word also counts as refused.
  if (await line.opened) line.begin();
  const closed = await until(() => line.closedWith !== null, timeoutMs);
  const why = closed ? "it spoke" : "the socket stayed open";
  report.must("closes the connection when the token is wrong", closed && line.spokeAt === 0, why, `${line.closedWith}`);
  line.drop();
}

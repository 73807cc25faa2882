import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { freshSecrets } from "../../../src/dev/secrets.ts";
import { inTime, WAIT } from "../campaigns/crash-support.ts";
import { randomFrom } from "../campaigns/kills.ts";
import { Service } from "../campaigns/service.ts";
import { archived } from "./archive.ts";
import { KillSwitch, type PlannedKill } from "./kills.ts";
import { OwnRuntime, REPORTING, type Reporting } from "./own-runtime.ts";
import { type Conversation, Reception } from "./reception.ts";

/**
 * Kills the service repeatedly while custom runtimes hold conversations and report them, repeating each request until
 * it is answered. The runtimes keep running and are the witnesses.
 * `KILLS=30 SEED=7 npx vitest run --config test/vitest.config.ts --project process own-runtime --silent=false`
 */
const KILLS = Number(process.env.KILLS || 4);
const SEED = Number(process.env.SEED || 1);
/** The number of runtimes. Each holds a conversation. */
const RUNTIMES = 3;
/** The most requests from one kill to the next. */
const SPACING = 40;

const began = Date.now();
const random = randomFrom(SEED);
const PLAN: PlannedKill<Reporting>[] = Array.from({ length: KILLS }, (_, i) => {
  return { moment: REPORTING[i % REPORTING.length] ?? "events sent", after: Math.floor(random() * SPACING) };
});
const runtimes: OwnRuntime[] = [];
let service: Service;
let reception: Reception;
let records: Conversation[];

beforeAll(reportAndKill, 300_000 + KILLS * 60_000);

afterAll(async () => {
  await service?.remove();
}, 60_000);

describe("a custom runtime whose reports reach a service that is killed repeatedly", () => {
  it("a custom runtime is never told that less was accepted than before a kill", () => {
    expect(runtimes.flatMap(({ faults }) => faults)).toEqual([]);
    expect(runtimes.some(({ unanswered }) => unanswered > 0)).toBe(true);
  });

  it("all reports of a custom runtime are recorded once and in order", () => {
    const reportedBy = (runtime: OwnRuntime) =>
      runtime.events.flatMap(({ seq, type, text, name }) => {
        const role = { user_turn: "user", agent_turn: "agent", tool_call: "tool" }[type];
        return role ? [{ seq, role, text: text ?? name }] : [];
      });
    const shown = ({ turns }: Conversation) => turns.map(({ seq, role, text }) => ({ seq, role, text }));
    expect(records.map(shown)).toEqual(runtimes.map(reportedBy));
    const spent = runtimes.map(({ events }) => events.reduce((sum, one) => sum + Number(one.input_tokens ?? 0), 0));
    expect(records.map(({ usage }) => usage.input_tokens)).toEqual(spent);
    expect(records.filter(({ complete, end_reason }) => !complete || end_reason !== "caller_hung_up")).toEqual([]);
  });

  it("the callers who opted out are on the do-not-call list, and the conversations are in R2", async () => {
    expect((await reception.neverCalled()).toSorted()).toEqual(runtimes.map(({ number }) => number).toSorted());
    service.kill();
    await service.gone();
    const kept = await archived(service.stateDir);
    const key = (id: string) => `${reception.account}/${id}.json`;
    expect(records.map(({ id }) => kept.get(key(id))?.turns)).toEqual(records.map(({ turns }) => turns));
  });
}, 600_000);

async function reportAndKill(): Promise<void> {
  const secrets = await freshSecrets();
  const talk = { SANDBOX_CONVERSATION: "off", SANDBOX_TALK_MS: "3600000", SANDBOX_RING_MS: "1" };
  service = await Service.prepare({ ...secrets, ...talk });
  const killSwitch = new KillSwitch<Reporting>(service);
  await service.start();
  reception = await Reception.open(service, secrets.SIGNING_KEYS);
  const stop = new AbortController();
  for (let n = 0; n < RUNTIMES; n++) {
    runtimes.push(new OwnRuntime(`+1303${5_560_050 + 100 * n}`, { reception, killSwitch, random }));
  }
  const holding = Promise.all(runtimes.map((runtime) => runtime.hold(stop.signal)));
  holding.catch(() => {});
  let up: Promise<void> = Promise.resolve();
  for (const kill of PLAN) {
    await inTime(Promise.race([Promise.all([killSwitch.killAt(kill), up]), holding]), `no "${kill.moment}"`);
    await service.gone();
    up = service.start();
  }
  await up;
  stop.abort();
  await inTime(holding, "the conversations do not come to their end");
  await vi.waitFor(async () => {
    records = await Promise.all(runtimes.map(({ call }) => reception.conversation(call)));
    expect(records.filter(({ status }) => status !== "ended")).toEqual([]);
    expect((await archived(service.stateDir)).size).toBe(records.length);
    expect(await reception.neverCalled()).toHaveLength(RUNTIMES);
  }, WAIT);
  report();
}

function report(): void {
  const sum = (of: (runtime: OwnRuntime) => number) => runtimes.reduce((all, runtime) => all + of(runtime), 0);
  console.info(
    [
      `own runtime: ${KILLS} kills (seed ${SEED}: ${PLAN.map(({ moment }) => moment).join(", ")})`,
      `${RUNTIMES} conversations, ${sum(({ events }) => events.length)} events by ${sum(({ requests }) => requests)} requests, ${sum(({ unanswered }) => unanswered)} tries without an answer`,
      `on record ${records.reduce((all, { turns }) => all + turns.length, 0)} turns`,
      `${Math.round((Date.now() - began) / 1000)} s`,
    ].join("; "),
  );
}

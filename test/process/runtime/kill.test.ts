import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { freshSecrets } from "../../../src/dev/secrets.ts";
import { type StandInModel, startStandInModel } from "../../../src/dev/stand-in-model.ts";
import { inTime, WAIT } from "../campaigns/crash-support.ts";
import { randomFrom, shuffled } from "../campaigns/kills.ts";
import { Service } from "../campaigns/service.ts";
import { archived } from "./archive.ts";
import { Caller } from "./caller.ts";
import { KillSwitch, planKills } from "./kills.ts";
import { type Conversation, Reception } from "./reception.ts";
import { Speaker, WISHES } from "./speaker.ts";
import { faultsIn } from "./verdict.ts";

/**
 * Kills the whole service repeatedly while people talk with its agent: SIGKILL to every process of it, at moments that
 * callers and the model see, so that they are the same on a slow machine. Both keep running and are the witnesses.
 * `KILLS=30 SEED=7 npx vitest run --config test/vitest.config.ts --project process runtime/kill --silent=false`
 */
const KILLS = Number(process.env.KILLS || 7);
const SEED = Number(process.env.SEED || 1);
const PLAN = planKills(KILLS, SEED);
/**
 * The number of people who talk at a time. Each begins another conversation when one is over, until all kills are done.
 */
const AT_A_TIME = 4;
/** A caller's topics, in random order: a question, one that is interrupted after some words, … */
const TOPICS = ["what is it", "how much is it", WISHES.note, WISHES.optOut, 4] as const;

const began = Date.now();
const random = randomFrom(SEED);
const callers: Caller[] = [];
let service: Service;
let model: StandInModel;
let speaker: Speaker;
let reception: Reception;
let records: Conversation[];

beforeAll(talkAndKill, 300_000 + KILLS * 60_000);

afterAll(async () => {
  await service?.remove();
  await model?.close();
}, 60_000);

describe("conversations whose service is killed again and again", () => {
  it("conversations survive repeated kills as both sides heard them", () => {
    expect(records.flatMap((record, i) => faultsIn(record, callerAt(i), speaker))).toEqual([]);
  });

  it("the do-not-call list contains exactly the callers who were told so", async () => {
    const requestedOptOut = callers.filter(({ log }) => log.some(({ text }) => text.includes(WISHES.optOut)));
    const optedOutNumbers = callers.filter(({ optedOut }) => optedOut).map(({ number }) => number);
    expect(optedOutNumbers.length).toBeGreaterThan(0);
    const listed = await reception.neverCalled();
    expect(optedOutNumbers.filter((number) => !listed.includes(number))).toEqual([]);
    expect(listed.filter((number) => !requestedOptOut.some((caller) => caller.number === number))).toEqual([]);
  });

  it("ended conversations are in R2 word for word after repeated kills", async () => {
    service.kill();
    await service.gone();
    const kept = await archived(service.stateDir);
    const key = (id: string) => `${reception.account}/${id}.json`;
    expect(records.map(({ id }) => kept.get(key(id))?.turns)).toEqual(records.map(({ turns }) => turns));
  });
}, 600_000);

/** Lets people talk until all kills are done and all conversations have ended. */
async function talkAndKill(): Promise<void> {
  model = await startStandInModel();
  const secrets = await freshSecrets();
  const talk = { SANDBOX_CONVERSATION: "off", SANDBOX_TALK_MS: "3600000", SANDBOX_RING_MS: "1" };
  service = await Service.prepare({ ...secrets, ...talk, LLM_BASE_URL: model.openai_url, LLM_MODEL: "stand-in" });
  const killSwitch = new KillSwitch(service);
  speaker = new Speaker(model, killSwitch, SEED);
  await service.start();
  reception = await Reception.open(service, secrets.SIGNING_KEYS);
  const stop = new AbortController();
  const talking = Promise.all(Array.from({ length: AT_A_TIME }, () => talkOn(killSwitch, stop.signal)));
  talking.catch(() => {});
  let up: Promise<void> = Promise.resolve();
  for (const kill of PLAN) {
    await inTime(Promise.race([Promise.all([killSwitch.killAt(kill), up]), talking]), `no "${kill.moment}"`);
    await service.gone();
    // Not awaited, because a caller may reach the service, and the next kill come, before `start` resolves.
    up = service.start();
  }
  await up;
  stop.abort();
  await inTime(talking, "the conversations do not come to their end");
  await vi.waitFor(async () => {
    records = await Promise.all(callers.map(({ call }) => reception.conversation(call)));
    expect(records.filter(({ status }) => status !== "ended")).toEqual([]);
    const { concurrent_calls } = await reception.get<{ concurrent_calls: { used: number } }>("/api/v1/call-limits");
    expect(concurrent_calls.used).toBe(0);
    expect((await archived(service.stateDir)).size).toBe(records.length);
  }, WAIT);
  report();
}

/** Holds one conversation after another. */
async function talkOn(killSwitch: KillSwitch, stop: AbortSignal): Promise<void> {
  while (!stop.aborted) {
    const n = callers.length + 1;
    const caller = new Caller(`c${n}`, `+1303${5_550_050 + 100 * n}`, { reception, speaker, killSwitch });
    callers.push(caller);
    await caller.talk(shuffled(TOPICS, random));
  }
}

function callerAt(i: number): Caller {
  const caller = callers[i];
  if (!caller) throw new Error(`there is no caller ${i}`);
  return caller;
}

function report(): void {
  const entries = callers.flatMap(({ log }) => log);
  const heardEntries = entries.filter((entry) => entry.kind === "heard");
  const turns = records.flatMap((record) => record.turns);
  const again = entries.filter((entry) => entry.kind === "sent" && !/\.1: /.test(entry.text));
  console.info(
    [
      `runtime: ${KILLS} kills (seed ${SEED}: ${PLAN.map(({ moment }) => moment).join(", ")})`,
      `${callers.length} conversations over ${callers.reduce((sum, { lines }) => sum + lines, 0)} lines`,
      `${entries.length - heardEntries.length} times said, ${again.length} of them again; the model was asked ${speaker.spoken.size} times`,
      `${heardEntries.filter(({ whole }) => whole).length} turns heard whole, ${heardEntries.filter(({ whole }) => !whole).length} cut`,
      `on record ${turns.length} turns, ${turns.filter(({ interrupted }) => interrupted).length} interrupted`,
      `ended: ${[...Map.groupBy(records, ({ end_reason }) => end_reason)].map(([reason, { length }]) => `${reason} ${length}`).join(", ")}`,
      `${Math.round((Date.now() - began) / 1000)} s`,
    ].join("; "),
  );
}

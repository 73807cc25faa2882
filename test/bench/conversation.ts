import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { signText } from "../../src/kernel/secrets/tokens.ts";
import { profile } from "./api/profile.ts";
import { type Handshake, type Orders, type Outcome, SAYS, type Told } from "./conversation/talk.ts";
import { perSecond, spread } from "./figures.ts";
import { type Service, startService } from "./service.ts";

const FOLDER = join(import.meta.dirname, "conversation");
const FAR_METER = join(import.meta.dirname, "yardstick/far-meter.ts");
/** The purpose for which the sandbox signs. Importing the service's constant would need the Workers runtime. */
const SANDBOX_WEBHOOK = "sandbox-webhook";
const NUMBER = "+12025550111";
/** Calls last until their callers hang up, and only this bench's callers talk. */
const TALK = { SANDBOX_CONVERSATION: "off", SANDBOX_RING_MS: "1", SANDBOX_TALK_MS: "3600000" };
/** How long people think before they speak, ms. */
const AS_PEOPLE_DO = { least: 1_000, most: 3_000 };
const AT_ONCE = { least: 0, most: 0 };
/**
 * How long callers think before they speak, ms, with so many conversations that one machine could not serve them
 * otherwise: about 40 turns a second.
 */
const LITTLE = { least: 30_000, most: 70_000 };
/** A limit that is never reached. Requests are then covered by reservations made ahead. */
const BUDGET = { scope: "account", period: "day", unit: "tokens", limit: 1_000_000_000_000, action: "end" };
/** The number of calls that are accepted at a time. */
const RINGING = 16;

export interface Row {
  says?: string;
  callers: number;
  turns: number;
  pause_ms: Orders["pause_ms"];
  handshake: Handshake;
}

const ROWS: Row[] = [
  { callers: 1, turns: 100, pause_ms: { least: 100, most: 300 }, handshake: "frame" },
  { callers: 50, turns: 12, pause_ms: AS_PEOPLE_DO, handshake: "frame" },
  { callers: 50, turns: 12, pause_ms: AS_PEOPLE_DO, handshake: "header" },
  { callers: 500, turns: 8, pause_ms: AS_PEOPLE_DO, handshake: "frame" },
  { callers: 500, turns: 8, pause_ms: AS_PEOPLE_DO, handshake: "header" },
  { callers: 50, turns: 20, pause_ms: AT_ONCE, handshake: "frame" },
];

/** Rows that are measured with a budget, once with a near and once with a distant meter. */
const AWAY: Row[] = [
  { callers: 50, turns: 12, pause_ms: AS_PEOPLE_DO, handshake: "frame" },
  { callers: 2_000, turns: 3, pause_ms: LITTLE, handshake: "frame" },
];

/**
 * Measures what the runtime adds to its model's time to the first word: from sending a caller's words to the arrival of
 * the first word, less the time that the model measured from the request to that word. Callers and model are separate
 * processes on the same machine, so their waits for a processor are included. For comparison, the same is measured for
 * requests sent directly from the callers to the model, between the turns.
 */
export async function benchConversation(withProfile: boolean, meterAwayMs: number): Promise<void> {
  console.log("conversation: what the runtime adds to the model's time, from the words to the first of the answer");
  const { variables, end } = await startModel();
  try {
    await talkAll(await startService(variables, { inspected: withProfile }), ROWS, withProfile);
    for (const ms of [0, meterAwayMs]) {
      console.log(`  with a budget, and the meter ${ms} ms away:`);
      const settings = { main: FAR_METER, inspected: withProfile };
      const service = await startService(Object.assign({ METER_AWAY_MS: `${ms}` }, variables), settings);
      await service.client.post("/api/v1/budgets", BUDGET);
      await talkAll(service, AWAY, withProfile);
    }
  } finally {
    end();
  }
}

interface Model {
  /** The variables of a service that uses it. */
  variables: Record<string, string>;
  /** Returns the number of searches so far that had no result in time. */
  failedSearches(): number;
  end(): void;
}

export async function startModel(): Promise<Model> {
  const model = fork(join(FOLDER, "model.ts"));
  const [LLM_BASE_URL] = (await once(model, "message")) as [string];
  let failed = 0;
  model.on("message", () => {
    failed += 1;
  });
  return {
    variables: Object.assign({ LLM_BASE_URL, LLM_MODEL: "stand-in" }, TALK),
    failedSearches: () => failed,
    end: () => model.disconnect(),
  };
}

async function talkAll(service: Service, rows: Row[], withProfile: boolean): Promise<void> {
  try {
    await answerAt(service);
    // The first round is not measured.
    await talk(service, { callers: 4, turns: 5, pause_ms: AT_ONCE, handshake: "frame" }, false);
    for (const row of rows) await talk(service, row, true, withProfile);
  } finally {
    await service.stop();
  }
}

/** Creates an agent that answers calls to the number; returns its id. */
export async function answerAt({ client }: Service): Promise<string> {
  const agent = { name: "Talker", status: "active", greeting_message: "Hello." };
  const { id: agent_id } = await client.post<{ id: string }>("/api/v1/agents", agent);
  await client.post("/api/v1/telephony/numbers", { e164: NUMBER, provider: "sandbox", agent_id });
  return agent_id;
}

/** Lets callers talk, and returns how long they waited; prints it if `shown`. */
export async function talk(service: Service, row: Row, shown: boolean, withProfile = false): Promise<Outcome> {
  const { callers: n, turns, pause_ms, handshake, says = SAYS.plain } = row;
  const tokens = await ringUp(service, n);
  const before = await service.memory.now();
  const callers = fork(join(FOLDER, "callers.ts"));
  try {
    const url = `${service.base.replace(/^http/, "ws")}/runtime`;
    callers.send({
      url,
      model_url: service.variables.LLM_BASE_URL ?? "",
      handshake,
      tokens,
      turns,
      says,
      pause_ms,
      seed: n,
    } satisfies Orders);
    const greeted = await told(callers, "greeted");
    const done = told(callers, "done");
    const work = async () => {
      callers.send("talk");
      await done;
    };
    const where = withProfile && service.inspector ? await profile(service.inspector, work) : await work();
    const open = await service.memory.now();
    const memory = (open - before) / n / 1024;
    callers.send("hang up");
    await once(callers, "exit");
    const outcome = await done;
    if (shown) show(row, outcome, greeted.after_ms, memory);
    for (const line of where ?? []) console.log(`      ${line}`);
    return outcome;
  } finally {
    callers.kill();
  }
}

function show({ callers, pause_ms, handshake }: Row, outcome: Outcome, greeted: number[], memory: number): void {
  const { added_ms, floor_ms, took_ms, own_delay_ms } = outcome;
  const pauses = pause_ms === AT_ONCE ? ", no pauses" : "";
  const shown = handshake === "frame" ? "token in the first frame" : "token in the handshake";
  console.log(`  ${callers} at once${pauses}, ${shown}: ${spread(added_ms)}`);
  console.log(`    the model asked directly meanwhile: ${spread(floor_ms)}`);
  console.log(
    `    ${added_ms.length} turns, ${perSecond(added_ms.length, took_ms)} a second; ` +
      `callers' own delay p99 ${own_delay_ms.p99.toFixed(1)} ms, at most ${own_delay_ms.most.toFixed(1)} ms`,
  );
  console.log(
    `    from connecting to the greeting: ${spread(greeted)}` +
      (callers > 1 ? `; ${memory.toFixed(0)} KiB of the process a conversation` : ""),
  );
}

/** Creates this many calls that the agent answers; returns their sessions' tokens. */
async function ringUp(service: Service, n: number): Promise<string[]> {
  const tokens: string[] = [];
  const one = async () => {
    while (tokens.length < n) {
      const at = tokens.push("") - 1;
      tokens[at] = await ring(service);
    }
  };
  await Promise.all(Array.from({ length: Math.min(RINGING, n) }, one));
  return tokens;
}

/**
 * The number of calls so far. Each call comes from another caller, because one caller may not have many calls. The last
 * digits of the number determine how the sandbox connects it.
 */
let rung = 0;

async function ring({ base, signingKeys, variables }: Service): Promise<string> {
  const path = "/api/telephony/inbound/sandbox/bench";
  const call = { provider_call_id: crypto.randomUUID(), from_number: `+1303${20_000 + rung++}50`, to_number: NUMBER };
  const body = JSON.stringify(call);
  const signature = await signText(signingKeys, SANDBOX_WEBHOOK, `${variables.PUBLIC_URL}${path}\n${body}`);
  const headers = { "content-type": "application/json", "x-sandbox-signature": signature };
  const answer = await fetch(base + path, { method: "POST", headers, body });
  const taken = (await answer.json()) as { session_token?: string };
  if (!taken.session_token) throw new Error(`the call was not taken: ${answer.status} ${JSON.stringify(taken)}`);
  return taken.session_token;
}

/** Returns the next message of the process, which must be of this type. @throws Error if the process ends instead */
async function told<T extends Told["type"]>(callers: ChildProcess, type: T): Promise<Extract<Told, { type: T }>> {
  const gone = once(callers, "exit").then(() => Promise.reject(new Error("the callers are gone")));
  gone.catch(() => {});
  const [message] = (await Promise.race([once(callers, "message"), gone])) as [Told];
  if (message.type !== type) throw new Error(`the callers tell ${message.type}, not ${type}`);
  return message as Extract<Told, { type: T }>;
}

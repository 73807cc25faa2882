import { once } from "node:events";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { freshSecrets } from "../../../src/dev/secrets.ts";
import type { Step } from "../../../src/dev/stand-in-frames.ts";
import { type StandInModel, startStandInModel } from "../../../src/dev/stand-in-model.ts";
import { issueRuntimeToken } from "../../../src/phone/calls/call-token.ts";
import { WAIT } from "../campaigns/crash-support.ts";
import { Service } from "../campaigns/service.ts";
import { type Frame, Line } from "./line.ts";
import { type Conversation, Reception, type Taken } from "./reception.ts";

/**
 * Kills the whole service while a vendor has unanswered requests of tools: one for a caller who waits, one for a caller
 * who has hung up, and two of custom runtimes. The vendor keeps running and is the witness.
 */
const UNKNOWN = "outcome unknown: it may have happened; do not repeat it, and say so";
const SCHEMA = { type: "object", properties: { who: { type: "string" } }, required: ["who"] };

let secrets: Awaited<ReturnType<typeof freshSecrets>>;
let service: Service;
let model: StandInModel;
let vendor: Vendor;
let reception: Reception;
let waiting: Taken;
let gone: Taken;
let own: Taken;

beforeAll(async () => {
  model = await startStandInModel();
  model.answers(({ body }) => ({ steps: answerTo(body.messages as Message[]) }));
  vendor = await Vendor.open();
  secrets = await freshSecrets();
  const talk = { SANDBOX_CONVERSATION: "off", SANDBOX_TALK_MS: "3600000", SANDBOX_RING_MS: "1" };
  const settings = { TOOL_HOSTS: vendor.host, LLM_BASE_URL: model.openai_url, LLM_MODEL: "stand-in" };
  service = await Service.prepare(Object.assign({}, secrets, talk, settings));
  await service.start();
  reception = await Reception.open(service, secrets.SIGNING_KEYS);
  await addTool("book", { method: "POST", url: `http://${vendor.host}/book/{who}`, body: { who: "{who}" } });
  await addTool("look_up", { method: "GET", url: `http://${vendor.host}/look_up/{who}` });
  const numbers = ["+13035550101", "+13035550102", "+13035550103"];
  const calls = await Promise.all(numbers.map((number) => reception.ring(number)));
  [waiting, gone, own] = calls as [Taken, Taken, Taken];
}, 300_000);

afterAll(async () => {
  await service?.remove();
  await model?.close();
  await vendor?.close();
}, 60_000);

describe("tools that were running when the service was killed", () => {
  it("a writing tool that ran during a kill is not run again and its outcome is reported as unknown", async () => {
    const talking = await speak(waiting, "book for ada");
    const leaving = await speak(gone, "book for grace");
    const lost = [use(own, "book", "edith", "t1"), use(own, "look_up", "edith", "t2")];
    await vendor.got("/book/ada", "/book/grace", "/book/edith", "/look_up/edith");
    leaving.close();
    await vi.waitFor(async () => expect(await reception.conversation(gone)).toMatchObject({ status: "ended" }), WAIT);
    expect(await reception.conversation(gone)).toMatchObject({ complete: false });
    service.kill();
    await service.gone();
    talking.close();
    await Promise.all(lost);
    await service.start();

    // The caller returns, and the agent repeats what it said before.
    const back = await connect(waiting);
    expect(await whole(back)).toBe(`It says: ${UNKNOWN}`);
    // The runtime repeats the unanswered request, and its model then requests the tool once more.
    expect(await use(own, "book", "edith", "t1")).toMatchObject({ state: "unknown", ok: false, result: UNKNOWN });
    expect(await use(own, "book", "edith", "t3")).toMatchObject({ state: "unknown", ok: false, result: UNKNOWN });
    const read = use(own, "look_up", "edith", "t2");
    await vi.waitFor(() => expect(vendor.requests("/look_up/edith")).toHaveLength(2), WAIT);
    vendor.answerAll("free");
    expect(await read).toMatchObject({ state: "ok", ok: true, result: "free" });

    for (const path of ["/book/ada", "/book/grace", "/book/edith"]) expect(vendor.requests(path)).toHaveLength(1);
    for (const [call, path] of [
      [waiting, "/book/ada"],
      [gone, "/book/grace"],
    ] as const) {
      const [request] = vendor.requests(path);
      const used = toolsUsed(await reception.conversation(call));
      expect(used).toMatchObject([{ name: "book", state: "unknown", run_id: request?.headers["idempotency-key"] }]);
    }
    expect(await reception.conversation(gone)).toMatchObject({ complete: true });
    back.close();
  }, 300_000);
});

interface Message {
  role: string;
  content: string | null;
}

/** Plays a model that books on request and reports the result. */
function answerTo(messages: Message[]): Step[] {
  const toolResult = messages.findLast(({ role }) => role === "tool")?.content;
  if (toolResult) return [{ say: `It says: ${toolResult}` }];
  const who = messages.findLast(({ role }) => role === "user")?.content?.replace("book for ", "") ?? "";
  return [{ say: "One moment." }, { call: { id: "c", name: "book", arguments: { who } } }];
}

async function addTool(name: string, implementation_config: object): Promise<void> {
  await reception.post("/api/v1/tools", { name, implementation_config, schema: SCHEMA });
  await reception.post(`/api/v1/agents/${reception.agentId}/tools`, { tool_name: name });
}

const connect = ({ session_token }: Taken) => Line.open(`ws://127.0.0.1:${service.port}/runtime`, { session_token });

/** Says something and returns the line once the agent has said that it takes a moment. */
async function speak(call: Taken, words: string): Promise<Line> {
  const line = await connect(call);
  await whole(line);
  line.send({ type: "prompt", voicePrompt: words, lang: "en-US", last: true });
  expect(await whole(line)).toBe("One moment.");
  return line;
}

/** Returns the agent's next turn. */
async function whole(line: Line): Promise<string> {
  let text = "";
  for (;;) {
    const frame: Frame | "closed" | "quiet" = await line.next();
    if (frame === "closed" || frame === "quiet") throw new Error(`the line is ${frame}`);
    if (frame.type !== "text") continue;
    text += frame.token ?? "";
    if (frame.last) return text;
  }
}

/** Uses a tool as a custom runtime. Returns the response; null if none arrived. */
async function use({ call_id }: Taken, name: string, who: string, tool_call_id: string): Promise<object | null> {
  const session = { call_id, account: reception.account, agent_id: reception.agentId, campaign_id: null };
  const token = await issueRuntimeToken(secrets.SIGNING_KEYS, session, 7200, Date.now());
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
  const body = JSON.stringify({ tool_call_id, arguments: { who } });
  try {
    const answer = await fetch(`${service.url}/api/runtime/v1/session/tools/${name}`, {
      method: "POST",
      headers,
      body,
    });
    return (await answer.json()) as object;
  } catch {
    return null;
  }
}

const toolsUsed = ({ turns }: Conversation) => turns.flatMap(({ tool_call }) => tool_call ?? []);

/** A service that tools call. It responds when the test says so. */
class Vendor {
  readonly #server: Server;
  readonly #requests: IncomingMessage[] = [];
  readonly #open: ((answer: string) => void)[] = [];

  private constructor() {
    this.#server = createServer((request, response) => {
      this.#requests.push(request);
      this.#open.push((answer) => response.end(JSON.stringify(answer)));
    });
  }

  static async open(): Promise<Vendor> {
    const vendor = new Vendor();
    vendor.#server.listen(0, "127.0.0.1");
    await once(vendor.#server, "listening");
    return vendor;
  }

  get host(): string {
    return `127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  requests(path: string): IncomingMessage[] {
    return this.#requests.filter(({ url }) => url === path);
  }

  /** Waits until each of these paths was requested. */
  async got(...paths: string[]): Promise<void> {
    await vi.waitFor(() => {
      for (const path of paths) expect(this.requests(path), path).toHaveLength(1);
    }, WAIT);
  }

  answerAll(answer: string): void {
    for (const give of this.#open.splice(0)) give(answer);
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
    await once(this.#server, "close");
  }
}

import { afterEach, describe, expect, it, vi } from "vitest";
import { builtInSentences } from "../../../src/agent/speech/sentences.ts";
import { TIMERS } from "../../../src/conversation/runtime/models/timeouts.ts";
import type { RuntimeSession, RuntimeSocket } from "../../support/runtime.ts";
import { conversing, isLast, linesOf, livesWith, prompt, recordOf, recordOnce, spoken } from "./conversing.ts";
import { type Api, bytes, streamOf } from "./models/support.ts";

const { filtered: FILTERED } = builtInSentences("en");

afterEach(() => vi.restoreAllMocks());

/** The settings with which an agent uses a model server of that kind. */
const SERVERS: Record<Api, { llm_model: string; env: Record<string, string>; url: string }> = {
  openai: {
    llm_model: "gpt-4o",
    env: { OPENAI_API_URL: "http://openai.test/v1", OPENAI_API_KEY: "k" },
    url: "http://openai.test/v1/chat/completions",
  },
  anthropic: {
    llm_model: "claude-3-5-sonnet",
    env: { ANTHROPIC_API_URL: "http://anthropic.test/v1", ANTHROPIC_API_KEY: "k" },
    url: "http://anthropic.test/v1/messages",
  },
};
const MODEL_WAITS_MS = [500, 3_000, 4_000];

interface Thinking {
  call: RuntimeSession;
  socket: RuntimeSocket;
  /** The bodies of the server's requests. */
  requests: string[];
  /** The agent's waits before each retry, ms. */
  waits: number[];
}

/** Creates a call whose agent's server gives these answers in turn. */
async function thinking(api: Api, ...answers: (() => Response)[]): Promise<Thinking> {
  const { llm_model, env, url } = SERVERS[api];
  const { call, socket } = await conversing({ llm_model });
  await livesWith(call, call.call_id, env);
  const requests: string[] = [];
  const waits: number[] = [];
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    expect(String(input)).toBe(url);
    const answer = answers[requests.push(String(init?.body)) - 1];
    if (!answer) throw new TypeError("nothing more is answered");
    return answer();
  });
  const { after } = TIMERS;
  vi.spyOn(TIMERS, "after").mockImplementation((ms, run) => {
    if (!MODEL_WAITS_MS.includes(ms)) return after(ms, run);
    waits.push(ms);
    return after(0, run);
  });
  return { call, socket, requests, waits };
}

const NOTE = { call: { id: "c1", name: "set_disposition", arguments: { value: "interested" } } };

describe.each(["openai", "anthropic"] as const)("the answers of %s on a call", (api) => {
  const stream = (...steps: Parameters<typeof streamOf>[1]) => new Response(streamOf(api, steps));
  const cut = (words: string, by: "length" | "content_filter") =>
    new Response(streamOf(api, words === "" ? [] : [{ say: words }], by));

  it("may be empty after a tool, which creates no turn and continues the call", async () => {
    const { call, socket, requests } = await thinking(
      api,
      () => stream({ say: "Noted." }, NOTE),
      () => stream(),
      () => stream({ say: "You are welcome." }),
    );
    socket.send(prompt("I am interested"));
    expect(spoken(await socket.until(isLast))).toBe("Noted.");
    await vi.waitFor(() => expect(requests).toHaveLength(2));
    socket.send({ ...prompt("Danke"), lang: "de-DE" });
    expect(spoken(await socket.until(isLast))).toBe("You are welcome.");
    const record = await recordOf(call);
    expect(linesOf(record).slice(1)).toEqual([
      "user: I am interested",
      "agent: Noted.",
      "tool: set_disposition",
      "user: Danke",
      "agent: You are welcome.",
    ]);
    expect(record).toMatchObject({ status: "live", disposition: "interested" });
    expect(record.turns.map(({ lang }) => lang)).toEqual([null, "en-US", null, null, "de-DE", null]);
  });

  it("an answer that reaches the maximum length is continued once, then recorded as cut", async () => {
    const { call, socket, requests } = await thinking(
      api,
      () => cut("We are open", "length"),
      () => cut("from nine", "length"),
    );
    socket.send(prompt("When are you open?"));
    expect(spoken(await socket.until(isLast))).toBe("We are open from nine");
    const record = await recordOnce(call, ({ turns }) => turns.length === 3);
    expect(record.turns.map(({ finish }) => finish)).toEqual([null, null, "length"]);
    expect(requests[1]).toContain("We are open");
    expect(requests).toHaveLength(2);
  });

  it("an answer that a filter blocks is replaced by a sentence, and the call continues", async () => {
    const { call, socket } = await thinking(api, () => cut("", "content_filter"));
    socket.send(prompt("Say something bad"));
    expect(spoken(await socket.until(isLast))).toBe(FILTERED);
    const record = await recordOnce(call, ({ turns }) => turns.length === 3);
    expect(record.turns.at(-1)).toMatchObject({ text: FILTERED, finish: "content_filter" });
    expect(record.status).toBe("live");
  });

  it.each([
    ["3", 3_000],
    ["120", 4_000],
  ])("an answer is retried after a filler if the model refuses for %s s", async (seconds, waited) => {
    const { call, socket, waits, requests } = await thinking(
      api,
      () => new Response("{}", { status: 429, headers: { "retry-after": seconds } }),
      () => stream({ say: "Here I am." }),
    );
    socket.send(prompt("Hello"));
    const frames = [...(await socket.until(isLast)), ...(await socket.until(isLast))];
    expect(spoken(frames)).toBe("One moment, please.Here I am.");
    expect(waits).toEqual([waited]);
    expect(requests[1]).not.toContain("One moment");
    expect(linesOf(await recordOf(call)).slice(2)).toEqual(["agent: One moment, please.", "agent: Here I am."]);
  });

  it("an answer that breaks off after its first words is continued once", async () => {
    const whole = streamOf(api, [{ say: "Your order is" }]);
    const begun = whole.slice(0, whole.indexOf("\n\n", whole.indexOf("Your order is")) + 2);
    const { call, socket } = await thinking(
      api,
      () => new Response(bytes([begun], "break")),
      () => stream({ say: "on its way." }),
    );
    socket.send(prompt("Where is it?"));
    expect(spoken(await socket.until(isLast))).toBe("Your order is on its way.");
    expect(linesOf(await recordOf(call)).slice(2)).toEqual(["agent: Your order is on its way."]);
  });
});

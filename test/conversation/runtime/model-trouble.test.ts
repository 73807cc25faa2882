import { afterEach, describe, expect, it, vi } from "vitest";
import { builtInSentences } from "../../../src/agent/speech/sentences.ts";
import { TIMERS } from "../../../src/conversation/runtime/models/timeouts.ts";
import { framesOf, openaiFrames, type Step } from "../../../src/dev/stand-in-frames.ts";
import type { Conversation } from "../../records/conversations/support.ts";
import { onLedger } from "../../support/ledger.ts";
import { type Frame, openRuntime, type RuntimeSession, type RuntimeSocket } from "../../support/runtime.ts";
import { page, widgetTenant } from "../../support/widget.ts";
import {
  connected,
  conversationTime,
  conversing,
  GREETING,
  greetedSession,
  hasEnded,
  isEnd,
  isLast,
  linesOf,
  livesWith,
  prompt,
  recordOf,
  recordOnce,
  spoken,
  stored,
} from "./conversing.ts";

const { apology: APOLOGY } = builtInSentences("en");

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const SERVER = { LLM_BASE_URL: "http://model.test/v1", LLM_MODEL: "m" };
const HELLO = prompt("Hello there");

/** The relevant fields of a request to a model. */
interface Requested {
  messages: { role: string; content: string | null; tool_call_id?: string; tool_calls?: { id: string }[] }[];
  tools?: unknown[];
}
type Answers = (requests: Requested, n: number) => Response | Promise<Response>;

/** Simulates a server with these answers. Returns the requests that it received. */
function serves(answers: Answers): Requested[] {
  const requests: Requested[] = [];
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(globalThis, "fetch").mockImplementation(async (input, init) => {
    expect(String(input)).toBe("http://model.test/v1/chat/completions");
    const body: Requested = JSON.parse(String(init?.body));
    return answers(body, requests.push(body));
  });
  return requests;
}

const stream = (...steps: Step[]) => new Response(framesOf(openaiFrames(), steps).join(""));
const calling = (id: string, name: string, given: object | string = {}): Step => ({
  call: { id, name, arguments: given },
});

/** Returns the beginning of an answer; `then` decides what happens to the stream next. */
function begun(words: string, then: (end: () => void) => void | Promise<void>): Response {
  const whole = framesOf(openaiFrames(), [{ say: words }]).join("");
  const at = whole.indexOf("\n\n", whole.indexOf(words)) + 2;
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const write = (text: string) => writer.write(new TextEncoder().encode(text)).catch(() => {});
  void (async () => {
    await write(whole.slice(0, at));
    await then(() => void write(whole.slice(at)).then(() => writer.close().catch(() => {})));
  })().catch((error: unknown) => writer.abort(error));
  return new Response(readable);
}

/** Creates a call whose agent uses the server. */
async function thinking(
  answers: Answers,
): Promise<{ call: RuntimeSession; socket: RuntimeSocket; requests: Requested[] }> {
  const { call, socket } = await conversing({ filler_after_ms: 0 });
  await livesWith(call, call.call_id, SERVER);
  return { call, socket, requests: serves(answers) };
}

/** Removes the pauses between retries, and stops the clock, because the agent apologizes after a time. */
function hurriedRetries(): void {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { after } = TIMERS;
  vi.spyOn(TIMERS, "after").mockImplementation((ms, run) => after(ms > 4_000 ? ms : 0, run));
}

const LAST_LINES = ["agent: Hello, this is Acme. How can I help?", "user: Hello there"];

describe("a model that fails on a call", () => {
  it.each<[name: string, answers: Answers]>([
    ["HTTP 500", () => new Response("{}", { status: 500 })],
    ["a redirect", () => new Response(null, { status: 302, headers: { location: "https://elsewhere.test" } })],
    ["no stream", () => new Response("<html>Bad gateway</html>")],
    ["an empty body", () => new Response("")],
    ["garbage in the stream", () => stream({ raw: "data: {not json\n\n" })],
    ["another shape", () => stream({ raw: 'data: {"choices":[{"delta":{"content":7}}]}\n\n' })],
    ["an error in the stream", () => stream({ raw: 'data: {"error":{"message":"overloaded"}}\n\n' })],
    ["an event without end", () => new Response(`data: ${"x".repeat(3_000_000)}`)],
    ["a server that is away", () => Promise.reject(new TypeError("connection refused"))],
  ])("a failing model is retried before the agent apologizes and ends the call: %s", async (name, answers) => {
    const { call, socket, requests } = await thinking(answers);
    hurriedRetries();
    socket.send(HELLO);
    const frames = await socket.until(isEnd);
    expect([spoken(frames).endsWith(APOLOGY), requests.length]).toEqual([true, name === "a redirect" ? 1 : 5]);
    expect(frames.at(-1)).toEqual({ type: "end", handoffData: '{"reason":"model_failed"}' });
    expect(await socket.closed).toMatchObject({ code: 1000 });
    const record = await recordOnce(call, hasEnded);
    expect(linesOf(record)).toEqual([...LAST_LINES, `agent: ${APOLOGY}`]);
    expect(record).toMatchObject({ end_reason: "model_failed", complete: true });
  });

  it("a model that says nothing does not end the call", async () => {
    const { call, socket, requests } = await thinking((_, n) => (n === 1 ? stream() : stream({ say: "Here I am." })));
    socket.send(HELLO);
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    socket.send(prompt("Hello?"));
    expect(spoken(await socket.until(isLast))).toBe("Here I am.");
    expect((await recordOf(call)).status).toBe("live");
  });

  it("only the second answer of a retried model is spoken", async () => {
    const { call, socket, requests } = await thinking((_, n) =>
      n === 1 ? new Response("", { status: 503 }) : stream({ say: "Here I " }, { say: "am." }),
    );
    socket.send(HELLO);
    expect(spoken(await socket.until(isLast))).toBe("Here I am.");
    expect(requests).toHaveLength(2);
    expect(linesOf(await recordOf(call))).toEqual([...LAST_LINES, "agent: Here I am."]);
  });

  it("a model that refuses a tool's schema answers without that tool for the rest of the conversation", async () => {
    const refusal = { message: "Invalid schema for function 'set_disposition': array schema missing items" };
    const { call, socket, requests } = await thinking((_, n) =>
      n === 1 ? Response.json({ error: refusal }, { status: 400 }) : stream({ say: `Answer ${n}.` }),
    );
    socket.send(HELLO);
    expect(spoken(await socket.until(isLast))).toBe("Answer 2.");
    socket.send(prompt("And now?"));
    expect(spoken(await socket.until(isLast))).toBe("Answer 3.");
    expect(requests.map(({ tools }) => JSON.stringify(tools).includes("set_disposition"))).toEqual([
      true,
      false,
      false,
    ]);
    expect(requests.map(({ tools = [] }) => tools.length)).toEqual([5, 4, 4]);
    const { id } = await recordOf(call);
    const { body } = await call.server.get(`/api/v1/conversations/${id}/trace`);
    expect(JSON.stringify(body)).toContain("the model refused the tool set_disposition");
  });

  it("a model that fails in mid-sentence has its spoken words recorded once, followed by the apology", async () => {
    const { call, socket, requests } = await thinking((_, n) =>
      n > 2
        ? new Response("", { status: 500 })
        : begun(n === 1 ? "Your order is" : "on its way", () => {
            throw new TypeError("cut off");
          }),
    );
    hurriedRetries();
    socket.send(HELLO);
    expect(spoken(await socket.until(isEnd))).toBe(`Your order is on its way${APOLOGY}`);
    expect(requests).toHaveLength(5);
    const record = await recordOnce(call, hasEnded);
    expect(linesOf(record)).toEqual([...LAST_LINES, "agent: Your order is on its way", `agent: ${APOLOGY}`]);
    expect(record.end_reason).toBe("model_failed");
  });

  it.each(["before the first word", "after it"])("a model that stalls times out: %s", async (when) => {
    const hurry = conversationTime();
    const { call, socket } = await thinking(() =>
      when === "after it" ? begun("Well", () => {}) : new Promise<Response>(() => {}),
    );
    socket.send(HELLO);
    const earlier = when === "after it" ? await socket.until(({ token }) => token === "Well") : [];
    hurry();
    const frames = [...earlier, ...(await socket.until(isEnd))];
    expect(spoken(frames)).toBe(`${when === "after it" ? "Well Well" : ""}${APOLOGY}`);
    expect(await recordOnce(call, hasEnded)).toMatchObject({ end_reason: "model_failed", complete: true });
  });

  it("a model that fails in a chat leads to an apology, and the visitor can try again", async () => {
    const created = await widgetTenant();
    const { access_token } = (await page().guest(created.widgetKey.key)).body;
    const socket = await openRuntime();
    socket.send({ type: "session", access_token });
    await socket.until(({ type }) => type === "message");
    const { fam } = JSON.parse(atob((access_token.split(".")[1] ?? "").replace(/-/g, "+").replace(/_/g, "/")));
    await livesWith(created, fam, SERVER);
    serves((_, n) => (n <= 5 ? new Response("", { status: 500 }) : stream({ say: "Back again." })));
    hurriedRetries();
    const isMessage = ({ type }: Frame) => type === "message";
    socket.send({ type: "message", id: "1", text: "Hello" });
    expect((await socket.until(isMessage)).at(-1)?.text).toBe(APOLOGY);
    socket.send({ type: "message", id: "2", text: "Hello?" });
    expect((await socket.until(isMessage)).at(-1)?.text).toBe("Back again.");
  });
});

describe("a model that wants tools", () => {
  it("a model that wants an unknown tool gets an error result and answers in words", async () => {
    const { call, socket, requests } = await thinking((_, n) =>
      n === 1 ? stream(calling("a", "rm -rf")) : stream({ say: "I cannot do that." }),
    );
    socket.send(HELLO);
    expect(spoken(await socket.until(isLast))).toBe("I cannot do that.");
    expect(requests[1]?.messages.at(-1)).toMatchObject({
      role: "tool",
      content: "Error: there is no tool named rm -rf",
    });
    const { turns } = await recordOf(call);
    expect(turns[2]?.tool_call).toMatchObject({ name: "rm -rf", ok: false });
  });

  it.each(["{not json", "[1]", '"text"', "null", "7", `{"value":"${"x".repeat(40_000)}"}`])(
    "a model that uses a tool with invalid arguments gets an error result: %s",
    async (given) => {
      const { call, socket, requests } = await thinking((_, n) =>
        n === 1 ? stream(calling("a", "set_disposition", given)) : stream({ say: "Sorry." }),
      );
      socket.send(HELLO);
      expect(spoken(await socket.until(isLast))).toBe("Sorry.");
      expect(requests[1]?.messages.at(-1)?.content).toMatch(/must be a JSON object/);
      const { turns, disposition } = await recordOf(call);
      expect([turns[2]?.tool_call?.arguments, turns[2]?.tool_call?.ok, disposition]).toEqual([{}, false, null]);
    },
  );

  it("a model that requests tools endlessly under one id must finally answer in words", async () => {
    const { call, socket, requests } = await thinking((_, n) =>
      stream(calling("same", "set_disposition", { value: `round_${n}` })),
    );
    socket.send(HELLO);
    expect(spoken(await socket.until(isLast))).toMatch(/could not find that out/);
    expect([requests.length, requests.at(-1)?.tools]).toEqual([9, undefined]);
    const record = await recordOf(call);
    const used = record.turns.flatMap(({ tool_call }) => tool_call ?? []);
    expect(used.map(({ arguments: given }) => given.value)).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9].map((n) => `round_${n}`),
    );
    expect(new Set(used.map(({ tool_call_id }) => tool_call_id)).size).toBe(9);
    expect(used.every(({ ok }) => ok)).toBe(true);
    // Vendors require each result right after its call.
    const ids = requests.at(-1)?.messages.flatMap(({ tool_calls }) => tool_calls?.map(({ id }) => id) ?? []);
    const results = requests.at(-1)?.messages.flatMap(({ tool_call_id }) => tool_call_id ?? []);
    expect(results).toEqual(ids);
    expect([record.disposition, record.status]).toEqual(["round_9", "live"]);
  });

  it("a model that requests a thousand tools at once gets some of them, and the call continues", async () => {
    const many = Array.from({ length: 1_000 }, (_, i) => calling(`c${i}`, "set_disposition", { value: `v${i}` }));
    const { call, socket } = await thinking((_, n) => (n === 1 ? stream(...many) : stream({ say: "Done." })));
    socket.send(HELLO);
    expect(spoken(await socket.until(isLast))).toBe("Done.");
    const record = await recordOf(call);
    expect([record.tool_call_count, record.disposition, record.status]).toEqual([64, "v15", "live"]);
  });

  it("a tool call with an overlong name or id is recorded within bounds", async () => {
    const { call, socket } = await thinking((_, n) =>
      n === 1 ? stream(calling("i".repeat(5_000), "n".repeat(5_000))) : stream({ say: "Done." }),
    );
    socket.send(HELLO);
    await socket.until(isLast);
    const use = (await recordOf(call)).turns[2]?.tool_call;
    expect([use?.name.length, (use?.tool_call_id.length ?? 0) <= 200]).toEqual([200, true]);
  });
});

describe("a model that says too much", () => {
  it.each([
    ["piece by piece", Array.from({ length: 3_000 }, (): Step => ({ say: "and then " }))],
    ["at once", [{ say: "x".repeat(900_000) }]],
  ] satisfies [string, Step[]][])(
    "an answer that is too long is stopped and its spoken words are recorded: %s",
    async (_, steps) => {
      const { call, socket } = await thinking(() => stream(...steps));
      socket.send(HELLO);
      const text = spoken(await socket.until(isLast));
      expect([text.length > 7_000, text.length <= 8_009]).toEqual([true, true]);
      expect((await recordOf(call)).turns.at(-1)).toMatchObject({ role: "agent", text: text, interrupted: false });
    },
  );

  it("a model that reports invalid counts leaves a readable record", async () => {
    const honest = framesOf(openaiFrames(), [{ say: "Hi." }]).join("");
    const wrong = honest.replace('"prompt_tokens":12', `"prompt_tokens":${Number.MAX_SAFE_INTEGER}`);
    expect(wrong).not.toBe(honest);
    const { call, socket } = await thinking(() => new Response(wrong));
    for (let i = 0; i < 3; i++) {
      socket.send(HELLO);
      await socket.until(isLast);
    }
    const { usage: counted } = await recordOnce(call, ({ turns }) => turns.length === 7);
    expect(counted).toMatchObject({ input_tokens: 3e9, output_tokens: 21, audio_ms: 0 });
  });
});

describe("an answer that is interrupted", () => {
  /** Creates a call whose agent has begun to answer and waits; `goOn` lets it continue. */
  async function answering() {
    const gate = Promise.withResolvers<void>();
    const { call, socket, requests } = await thinking((_, n) =>
      n === 1
        ? begun("We are open from nine", async (end) => {
            await gate.promise;
            end();
          })
        : stream({ say: "Of course." }),
    );
    socket.send(HELLO);
    await socket.until(({ token }) => token === "We are open from nine");
    return { call, socket, requests, goOn: gate.resolve };
  }
  const rest = (record: Conversation) => linesOf(record).slice(2);

  it("stops when the caller speaks, and the agent answers the new words", async () => {
    const { call, socket, requests } = await answering();
    socket.send(prompt("Wait"));
    expect(spoken(await socket.until(isLast))).toBe("Of course.");
    expect(rest(await recordOf(call))).toEqual(["agent!: We are open from nine", "user: Wait", "agent: Of course."]);
    expect(requests[1]?.messages.at(-2)?.content).toContain("(interrupted)");
  });

  it.each([
    ["We are", "We are"],
    [undefined, "We are open from nine"],
    ["", ""],
  ])(
    "an answer that is interrupted stops after %j, and these words are recorded",
    async (utteranceUntilInterrupt, spokenText) => {
      const { call, socket } = await answering();
      socket.send({ type: "interrupt", ...(utteranceUntilInterrupt !== undefined && { utteranceUntilInterrupt }) });
      socket.send(prompt("Wait"));
      expect(spoken(await socket.until(isLast))).toBe("Of course.");
      expect(rest(await recordOf(call))).toEqual([`agent!: ${spokenText}`, "user: Wait", "agent: Of course."]);
    },
  );

  it.each([
    [1000, "caller_hung_up"],
    [null, "caller_hung_up"],
  ])(
    "an answer that is interrupted ends with the words sent so far if the caller hangs up with %s",
    async (code, end_reason) => {
      const { call, socket } = await answering();
      socket.close(code);
      const over = await recordOnce(call, hasEnded);
      expect(rest(over)).toEqual(["agent!: We are open from nine"]);
      expect(over).toMatchObject({ end_reason, complete: true });
    },
  );

  it("an answer that is interrupted is not repeated to a caller who returns after the connection broke", async () => {
    const { call, socket } = await answering();
    socket.close(4000);
    await vi.waitFor(async () => expect((await recordOf(call)).turns).toHaveLength(3));
    const again = await openRuntime(call.session_token);
    expect(spoken(await again.until(isLast))).toMatch(/line dropped/);
    expect(rest(await recordOf(call))).toEqual([
      "agent!: We are open from nine",
      expect.stringMatching(/line dropped/),
    ]);
    again.close();
    expect((await recordOnce(call, hasEnded)).complete).toBe(true);
  });

  it("an answer that is interrupted is not continued twice when a second client connects", async () => {
    const { call, socket, goOn, requests } = await answering();
    const newer = await openRuntime(call.session_token);
    expect(spoken(await newer.until(isLast))).toMatch(/line dropped/);
    expect((await socket.closed).code).toBe(4409);
    goOn();
    newer.send(prompt("Wait"));
    expect(spoken(await newer.until(isLast))).toBe("Of course.");
    expect(requests).toHaveLength(2);
    expect(rest(await recordOf(call))).toEqual([
      "agent!: We are open from nine",
      expect.stringMatching(/line dropped/),
      "user: Wait",
      "agent: Of course.",
    ]);
  });

  it("an answer that is interrupted is not recorded further once the conversation is deleted", async () => {
    const { call, socket, goOn } = await answering();
    const { id } = await recordOf(call);
    expect((await call.server.delete(`/api/v1/conversations/${id}`)).status).toBe(204);
    await socket.closed;
    goOn();
    await vi.waitFor(async () => expect((await stored(call, call.call_id)).tables).toEqual([]));
  });
});

describe("an answer before its first word", () => {
  it("an answer before its first word is not stopped by an interruption, because nothing of it was spoken yet", async () => {
    const gate = Promise.withResolvers<void>();
    const { call, socket, requests } = await thinking(async () => {
      await gate.promise;
      return stream({ say: "At nine." });
    });
    socket.send(HELLO);
    await vi.waitFor(() => expect(requests).toHaveLength(1));
    socket.send({ type: "interrupt", utteranceUntilInterrupt: "Hello, this is" });
    gate.resolve();
    expect(spoken(await socket.until(isLast))).toBe("At nine.");
    expect(linesOf(await recordOf(call))).toEqual([`agent: ${GREETING}`, "user: Hello there", "agent: At nine."]);
  });
});

describe("a call by a carrier on the internet", () => {
  it("ends with an apology if its configured model is gone, and never falls back to the scripted one", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const call = await greetedSession({ llm_model: "gpt-4o" });
    await onLedger(call.account, "UPDATE calls SET provider = 'telnyx' WHERE id = ?", call.call_id);
    const hurry = conversationTime();
    const socket = await connected(call);
    socket.send(HELLO);
    expect(spoken(await socket.until(isLast))).toBe(APOLOGY);
    hurry();
    expect(await recordOnce(call, hasEnded)).toMatchObject({ end_reason: "model_failed" });
  });
});

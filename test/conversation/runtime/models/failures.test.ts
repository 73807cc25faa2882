import { describe, expect, it } from "vitest";
import { ModelFailed } from "../../../../src/conversation/runtime/models/model.ts";
import { APIS, answered, answering, begunStream, bytes, CHOICES, request, SECRET, served } from "./support.ts";

/** Creates a refusal that repeats everything that must stay hidden. */
const refusal = (status: number, type: string) =>
  new Response(JSON.stringify({ error: { type, code: SECRET, message: `${SECRET} at https://openai.invalid/v1` } }), {
    status,
  });

describe.each(APIS)("the failures of %s", (api) => {
  const name = `${api}/${CHOICES[api].model}`;
  const begun = begunStream(api);

  it.each([
    ["a refused key", () => refusal(401, "authentication_error"), "the server answered 401 (authentication_error)"],
    ["too many requests", () => refusal(429, "rate_limit_error"), "the server answered 429 (rate_limit_error)"],
    ["an error of the server's", () => refusal(500, "server_error"), "the server answered 500 (server_error)"],
    ["an error without words", () => new Response("<html>", { status: 502 }), "the server answered 502"],
    ["an error that never ends", () => new Response("x".repeat(20_000), { status: 500 }), "the server answered 500"],
    [
      "a redirect, which is not followed",
      () => new Response(null, { status: 307, headers: { location: "https://elsewhere.invalid" } }),
      "the server answered 307",
    ],
    ["no answer", () => Promise.reject(new TypeError(`fetch ${SECRET}`)), "the server cannot be reached"],
    ["no stream", () => new Response(null), "the server answered 200"],
    ["an empty stream", () => new Response(""), "the answer ended early"],
    ["a page", () => new Response("<html>\n\nHello\n\n</html>"), "the answer ended early"],
    ["garbage", () => new Response("data: {nonsense\n\n"), "the answer is invalid"],
    ["another API's events", () => new Response('data: {"choices":7,"type":8}\n\n'), "the answer is invalid"],
    ["an event without end", () => new Response(`data: ${"x".repeat(9_000_000)}`), "the answer is invalid"],
  ])("a model request fails by %s", async (_, answer, reason) => {
    const { parts, error } = await answered(served(api, answer).model);
    expect(parts).toEqual([]);
    // A refused request is not charged.
    const wasRefused = /^the server (answered|cannot)/.test(reason);
    const isPermanent = /answered (401|307)/.test(reason);
    const isBusy = reason.includes("429");
    expect(error).toEqual(new ModelFailed(`${name}: ${reason}`, null, wasRefused, isPermanent, null, isBusy));
  });

  it.each([
    ["broken off", () => new Response(bytes([begun, "data: {"])), "the answer ended early"],
    ["whose connection is lost", () => new Response(bytes([begun], "break")), "the connection was lost"],
    ["with garbage in it", () => new Response(bytes([begun, "data: }{\n\n"])), "the answer is invalid"],
    [
      "that the server gives up",
      () => {
        const reported = { type: "error", error: { type: "overloaded_error", message: SECRET } };
        return new Response(bytes([begun, `event: error\ndata: ${JSON.stringify(reported)}\n\n`]));
      },
      "the server stopped with an error (overloaded_error)",
    ],
  ])("follow an answer %s, after yielding its words", async (_, answer, reason) => {
    const { parts, error } = await answered(served(api, answer).model);
    expect(parts).toEqual([{ type: "text", text: "Well, " }]);
    expect(error).toEqual(new ModelFailed(`${name}: ${reason}`));
  });

  it.each([
    ["3", 3_000],
    ["0", 0],
    ["Sat, 21 Nov 2026 09:30:02 GMT", 2_000],
    ["Sat, 21 Nov 2026 09:29:00 GMT", 0],
    ["soon", null],
    ["-3", null],
    [null, null],
  ])("a failed model request reports when the server accepts a retry: Retry-After %j", async (header, ms) => {
    const headers = header === null ? {} : { "retry-after": header };
    const { error } = await answered(served(api, () => new Response("{}", { status: 429, headers })).model);
    expect(error).toMatchObject({ retryAfterMs: ms, message: `${name}: the server answered 429` });
  });

  it.each<[string, number, object, string | null]>([
    ["in quotes", 400, { message: "Invalid schema for function 'book': array schema missing items" }, "book"],
    ["by its position in `param`", 400, { message: "no", param: "tools[1].function.parameters" }, "book"],
    ["by its position in the message", 400, { message: "tools.0.custom.input_schema: oneOf is not supported" }, "find"],
    ["by another status", 422, { message: 'the tool "find" is invalid' }, "find"],
    ["without quotes", 400, { message: "cannot find the model" }, null],
    ["that was not sent", 400, { message: "Invalid schema for function 'other'", param: "tools[7]" }, null],
    ["about the key", 401, { message: "'book'" }, null],
  ])("failures name the tool that a refusal mentions: %s", async (_, status, fault, refusedTool) => {
    const { model } = served(api, () => Response.json({ error: fault }, { status }));
    const tools = ["find", "book"].map((tool) => ({ name: tool, description: "", parameters: { type: "object" } }));
    expect((await answered(model, request({ tools }))).error).toMatchObject({ refusedTool });
  });

  it("a failing model gets a single request", async () => {
    const { model, requests } = served(api, () => refusal(503, "overloaded_error"));
    await answered(model);
    expect(requests).toHaveLength(1);
  });
});

describe.each(APIS)("aborting %s", (api) => {
  const reason = new Error("interrupted");

  it("rejects with the abort before a request is sent", async () => {
    const { model, requests } = answering(api, [{ say: "Hi" }]);
    expect(await answered(model, request({ signal: AbortSignal.abort(reason) }))).toEqual({ parts: [], error: reason });
    expect(requests).toEqual([]);
  });

  it("rejects with the abort while a server is silent, and closes the request", async () => {
    const stop = new AbortController();
    const { model, requests } = served(api, () => {
      queueMicrotask(() => stop.abort(reason));
      return new Promise(() => undefined);
    });
    expect(await answered(model, request({ signal: stop.signal }))).toEqual({ parts: [], error: reason });
    expect(requests[0]?.init.signal?.aborted).toBe(true);
  });

  it("rejects with the abort in the middle, and ends the request", async () => {
    const stop = new AbortController();
    let cancelled = 0;
    const { model } = served(api, () => new Response(bytes([begunStream(api)], "silence", () => cancelled++)));
    const received: unknown[] = [];
    const listening = async () => {
      for await (const part of model.answer(request({ signal: stop.signal }))) {
        received.push(part);
        stop.abort(reason);
      }
    };
    await expect(listening()).rejects.toBe(reason);
    expect(received).toEqual([{ type: "text", text: "Well, " }]);
    expect(cancelled).toBe(1);
  });
});

describe.each(APIS)("the secrets of a failing %s", (api) => {
  it("a model's error shows no key, no address and no text of the server", async () => {
    const answers = [
      () => refusal(401, SECRET),
      () => refusal(403, `key_${SECRET.replaceAll("-", "_")}`),
      () => Promise.reject(new TypeError(`https://openai.invalid ${SECRET}`)),
      () => new Response(bytes([begunStream(api)], "break")),
      () => new Response(`data: {"error":{"message":"${SECRET}","type":"${SECRET}"},"type":"error"}\n\n`),
      () => new Response(`data: ${SECRET}\n\n`),
    ];
    for (const answer of answers) {
      const { error } = await answered(served(api, answer).model);
      if (!(error instanceof ModelFailed)) throw new Error("it did not fail");
      expect(`${error.stack} ${JSON.stringify(error)}`).not.toMatch(/sk-test|sk_test|9f8e7d|\.invalid/);
      expect(error.cause).toBeUndefined();
    }
  });

  it("a key is sent only to its model's server and never along a redirect", async () => {
    const { model, requests } = answering(api, [{ say: "Hi" }]);
    await answered(model);
    const [{ url, headers, body, init } = { url: "", headers: new Headers(), body: {}, init: {} }] = requests;
    const at = {
      openai: "https://openai.invalid/v1/chat/completions",
      anthropic: "https://anthropic.invalid/v1/messages",
    };
    expect(url).toBe(at[api]);
    const holding = [...headers].filter(([, value]) => value.includes(SECRET)).map(([header]) => header);
    expect(holding).toEqual([api === "openai" ? "authorization" : "x-api-key"]);
    expect(JSON.stringify(body)).not.toContain(SECRET);
    expect(init.redirect).toBe("manual");
  });
});

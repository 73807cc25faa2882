import { beforeEach, describe, expect, it, vi } from "vitest";
import { egressRules, judgeAddress } from "../../../src/kernel/egress/address.ts";
import { EgressRefused, type OutLimits, type OutRequest, openOut } from "../../../src/kernel/egress/open-out.ts";
import { readText } from "../../../src/kernel/egress/read-text.ts";
import { SERVICE } from "./addresses.ts";

const RULES = egressRules(SERVICE);
const GET: OutRequest = { method: "GET", url: "https://api.vendor.com/v1?token=s3cret", headers: {}, body: null };
const never = () => new Promise<never>(() => {});

/** Opens a request to a vendor. The network is a function. */
function open(wire: typeof fetch, limits: Partial<OutLimits> = {}, request = GET) {
  const defaults: OutLimits = {
    judge: (address, from) => judgeAddress(address, RULES, from),
    redirects: "other_hosts",
    fetch: wire,
    total_ms: 60_000,
    max_bytes: 1_000,
  };
  return openOut(request, Object.assign(defaults, limits));
}
async function refusal(outcome: Promise<unknown>): Promise<EgressRefused> {
  const error = await outcome.then(
    () => expect.fail("it was not refused"),
    (reason: unknown) => reason,
  );
  if (!(error instanceof EgressRefused)) throw error;
  expect(error.message).not.toContain("s3cret");
  return error;
}
/** Creates a body that supplies one chunk per read, and then hangs. */
function source(chunks: Uint8Array[]) {
  const seen = { pulls: 0, isCancelled: false };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        const chunk = chunks[seen.pulls++];
        if (!chunk) return never();
        controller.enqueue(chunk);
      },
      cancel() {
        seen.isCancelled = true;
      },
    },
    { highWaterMark: 0 },
  );
  return { seen, body };
}
const bytes = (length: number) => new Uint8Array(length).fill(97);
const answering =
  (body: BodyInit | null, init: ResponseInit = {}): typeof fetch =>
  async () =>
    new Response(body, init);

describe("an open request", () => {
  it("returns its headers before its body", async () => {
    const { body } = source([bytes(3)]);
    const response = await open(answering(body, { status: 201, headers: { "x-a": "b" } }));
    expect([response.status, response.headers.get("x-a")]).toEqual([201, "b"]);
    expect(response.url.href).toBe(GET.url);
    expect((await response.body?.getReader().read())?.value).toEqual(bytes(3));
  });

  it("returns the address that responded", async () => {
    const wire: typeof fetch = async (input) =>
      String(input).startsWith("https://www.") ? new Response("there") : Response.redirect("https://www.vendor.com/x");
    const { url, body } = await open(wire);
    expect([url.href, await new Response(body).text()]).toEqual(["https://www.vendor.com/x", "there"]);
  });

  it("has no body if the response has none", async () => {
    expect((await open(answering(null, { status: 204 }))).body).toBeNull();
  });

  it("reads no more than its reader does", async () => {
    const { seen, body } = source(Array.from({ length: 100 }, () => bytes(10)));
    const reader = (await open(answering(body))).body?.getReader();
    expect(seen.pulls).toBe(0);
    await reader?.read();
    await reader?.read();
    await new Promise((settled) => setTimeout(settled));
    expect(seen.pulls).toBe(2);
  });

  it("closes its connection when its reader cancels", async () => {
    let signal: AbortSignal | null | undefined;
    const { seen, body } = source([bytes(10)]);
    const wire: typeof fetch = async (_, init) => {
      signal = init?.signal;
      return new Response(body);
    };
    await (await open(wire)).body?.cancel();
    expect([seen.isCancelled, signal?.aborted]).toEqual([true, true]);
  });
});

describe("the reason of a failure", () => {
  it("a header that cannot be sent fails before anything was sent", async () => {
    const request = { method: "GET", url: GET.url, headers: { host: "s3cret" }, body: null };
    expect(await refusal(open(answering("x"), {}, request))).toMatchObject({
      reason: "refused_header",
      hasLeft: false,
    });
  });

  it("a refused address fails before anything was sent", async () => {
    const request = { method: "GET", url: "https://10.0.0.1/?s3cret", headers: {}, body: null };
    expect(await refusal(open(answering("x"), {}, request))).toMatchObject({
      reason: "refused_address",
      hasLeft: false,
    });
  });

  it("a refused redirect fails after the request was sent", async () => {
    const wire = answering(null, { status: 302, headers: { location: "https://localhost/?s3cret" } });
    expect(await refusal(open(wire))).toMatchObject({ reason: "refused_redirect", hasLeft: true });
  });

  it.each<[string, typeof fetch]>([
    ["is refused", async () => Promise.reject(new TypeError("s3cret"))],
    [
      "throws",
      () => {
        throw new TypeError("s3cret");
      },
    ],
  ])("an unreachable server is reported: the connection %s", async (_, wire) => {
    expect(await refusal(open(wire))).toMatchObject({
      reason: "unreachable",
      hasLeft: true,
      message: "api.vendor.com could not be reached",
    });
  });

  it("a body that breaks off is reported", async () => {
    const body = new ReadableStream({ pull: (controller) => controller.error(new TypeError("s3cret")) });
    const { failure } = await readText(await open(answering(body)));
    expect(failure).toMatchObject({
      reason: "broken",
      hasLeft: true,
      message: "api.vendor.com ended its response early",
    });
  });

  it("a body that is too large is reported after the bytes up to the limit", async () => {
    const { seen, body } = source([bytes(600), bytes(600), bytes(600)]);
    const { text, failure } = await readText(await open(answering(body)));
    expect([text.length, failure?.reason, failure?.message]).toEqual([
      1_000,
      "too_large",
      "api.vendor.com sent more than 1000 bytes",
    ]);
    expect(seen).toEqual({ pulls: 2, isCancelled: true });
  });

  it("a body that is too large is reported if a chunk ends at the limit", async () => {
    const { seen, body } = source([bytes(1_000), bytes(1), bytes(1)]);
    const { text, failure } = await readText(await open(answering(body)));
    expect([text.length, failure?.reason]).toEqual([1_000, "too_large"]);
    expect(seen).toEqual({ pulls: 2, isCancelled: true });
  });

  it("headers that are too large are reported", async () => {
    const { seen, body } = source([]);
    const wire = answering(body, { headers: { "x-a": "a".repeat(20_000), "x-b": "b".repeat(20_000) } });
    expect(await refusal(open(wire))).toMatchObject({
      reason: "too_large",
      message: "api.vendor.com sent more than 32 KB of headers",
    });
    expect(seen.isCancelled).toBe(true);
  });
});

describe("a caller's abort", () => {
  it("a caller's abort before the request prevents it", async () => {
    const wire = vi.fn(answering("x"));
    const error = await refusal(open(wire, { signal: AbortSignal.abort(new Error("s3cret")) }));
    expect(error).toMatchObject({ reason: "aborted", hasLeft: false, message: "the request was aborted" });
    expect(wire).not.toHaveBeenCalled();
  });

  it("ends the wait for the headers, even if the connection ignores it", async () => {
    const caller = new AbortController();
    const outcome = refusal(open(never, { signal: caller.signal }));
    caller.abort();
    expect(await outcome).toMatchObject({ reason: "aborted", hasLeft: true });
  });

  it("an abort is not followed by another request if the connection ignores it", async () => {
    const caller = new AbortController();
    const answer = Promise.withResolvers<Response>();
    const wire = vi.fn(() => answer.promise);
    const outcome = refusal(open(wire, { signal: caller.signal }));
    caller.abort();
    answer.resolve(Response.redirect("https://www.vendor.com/"));
    expect(await outcome).toMatchObject({ reason: "aborted" });
    await new Promise((settled) => setTimeout(settled));
    expect(wire).toHaveBeenCalledTimes(1);
  });

  it.each(["while a chunk is awaited", "between two reads"])("a caller's abort ends the body %s", async (when) => {
    const caller = new AbortController();
    const { seen, body } = source([bytes(10)]);
    const reader = (await open(answering(body), { signal: caller.signal })).body?.getReader();
    await reader?.read();
    const read = when === "between two reads" ? null : reader?.read();
    caller.abort();
    expect(await refusal(Promise.resolve(read ?? reader?.read()))).toMatchObject({ reason: "aborted", hasLeft: true });
    expect(seen.isCancelled).toBe(true);
  });

  it("a caller's abort after the end changes nothing", async () => {
    const caller = new AbortController();
    const { text, failure } = await readText(await open(answering("whole"), { signal: caller.signal }));
    caller.abort();
    expect([text, failure]).toEqual(["whole", null]);
  });
});

describe("the time limits", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });

  it("end the wait for the headers, redirects included", async () => {
    const wire: typeof fetch = async () => {
      await new Promise((resolve) => setTimeout(resolve, 400));
      return Response.redirect("https://api.vendor.com/again");
    };
    const outcome = refusal(open(wire, { head_ms: 1_000 }));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await outcome).toMatchObject({ reason: "timeout", hasLeft: true, message: "no answer arrived within 1 s" });
  });

  it("end a body that is silent for too long", async () => {
    const { seen, body } = source([bytes(10)]);
    const reader = (await open(answering(body), { head_ms: 500, idle_ms: 1_000 })).body?.getReader();
    await reader?.read();
    const outcome = refusal(Promise.resolve(reader?.read()));
    await vi.advanceTimersByTimeAsync(1_000);
    expect(await outcome).toMatchObject({ reason: "timeout", message: "api.vendor.com sent nothing within 1 s" });
    expect(seen.isCancelled).toBe(true);
  });

  it("do not count a reader's own pauses as the server's silence", async () => {
    const { body } = source([bytes(10), bytes(20)]);
    const reader = (await open(answering(body), { idle_ms: 1_000 })).body?.getReader();
    await reader?.read();
    await vi.advanceTimersByTimeAsync(30_000);
    expect((await reader?.read())?.value).toEqual(bytes(20));
  });

  it("end a body that trickles", async () => {
    const trickle = new ReadableStream<Uint8Array>({
      async pull(controller) {
        await new Promise((resolve) => setTimeout(resolve, 900));
        controller.enqueue(bytes(1));
      },
    });
    const outcome = readText(await open(answering(trickle), { idle_ms: 1_000, total_ms: 5_000 }));
    await vi.advanceTimersByTimeAsync(5_000);
    expect((await outcome).failure).toMatchObject({
      reason: "timeout",
      message: "no complete response arrived within 5 s",
    });
  });

  it("end a body that is not read, and close its connection", async () => {
    const { seen, body } = source([bytes(10)]);
    await open(answering(body), { total_ms: 5_000 });
    await vi.advanceTimersByTimeAsync(5_000);
    expect(seen.isCancelled).toBe(true);
  });

  it("leave no timer and no listener behind", async () => {
    const caller = new AbortController();
    const removed = vi.spyOn(caller.signal, "removeEventListener");
    const limits = { head_ms: 100, idle_ms: 100, signal: caller.signal };
    await readText(await open(answering("whole"), limits));
    await (await open(answering("whole"), limits)).body?.cancel();
    await open(answering(null, { status: 204 }), limits);
    await refusal(open(async () => Promise.reject(new TypeError()), limits));
    expect(vi.getTimerCount()).toBe(0);
    expect(removed).toHaveBeenCalledTimes(4);
  });
});

import { beforeEach, describe, expect, it, vi } from "vitest";
import { egressRules } from "../../../src/kernel/egress/address.ts";
import { fetchOut } from "../../../src/kernel/egress/fetch-out.ts";
import { EgressRefused, type OutRequest } from "../../../src/kernel/egress/open-out.ts";
import { HOSTILE, SERVICE } from "./addresses.ts";

const URL_OF_VENDOR = "https://api.vendor.com/v1/orders?id=1";
const GET: OutRequest = { method: "GET", url: URL_OF_VENDOR, headers: {}, body: null };
const POST: OutRequest = {
  method: "POST",
  url: URL_OF_VENDOR,
  headers: { authorization: "Bearer s3cret", "content-type": "application/json" },
  body: '{"a":1}',
};
interface SentRequest {
  url: string;
  init: RequestInit;
  headers: Headers;
}
const requests: SentRequest[] = [];
beforeEach(() => {
  requests.length = 0;
});

/** Sends a request to a vendor. The network is a function. */
function fetchVendor(
  request: OutRequest,
  answer: (url: string) => Response | Promise<Response>,
  { TOOL_HOSTS = "", timeout_ms = 10_000, max_bytes = 256 * 1024 } = {},
) {
  const rules = egressRules({ ...SERVICE, TOOL_HOSTS });
  const wire: typeof fetch = async (input, init = {}) => {
    requests.push({ url: String(input), init, headers: new Headers(init.headers) });
    return answer(String(input));
  };
  return fetchOut(request, { rules, fetch: wire, timeout_ms, max_bytes });
}
const refusal = async (outcome: Promise<unknown>) => {
  const error = await outcome.then(
    () => expect.fail("it was not refused"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(EgressRefused);
  return (error as EgressRefused).message;
};
const redirect = (location: string | null, status = 302) =>
  new Response("moved", { status, headers: location === null ? {} : { location } });
const paths = () => requests.map(({ url, init }) => `${init.method} ${new URL(url).pathname}`);

describe("a request to a vendor", () => {
  it.each([
    ["text/plain; charset=iso-8859-1", [0x47, 0x72, 0xfc, 0xdf, 0x65], "Grüße"],
    ['text/html;charset="windows-1251"', [0xcf, 0xf0], "Пр"],
    ["text/plain; charset=klingon", [0xc3, 0xbc], "ü"],
    ["text/plain", [0xc3, 0xbc], "ü"],
  ])("a response is read in the charset of its content type: %s", async (type, body, text) => {
    const answer = await fetchVendor(
      GET,
      () => new Response(new Uint8Array(body), { headers: { "content-type": type } }),
    );
    expect(answer).toMatchObject({ content_type: type, text });
  });

  it("a request to a vendor is sent as given, with our user agent and uncached", async () => {
    const answer = await fetchVendor({ ...POST, headers: { ...POST.headers, "User-Agent": "curl/8" } }, () =>
      Response.json({ ok: true }, { status: 201, headers: { "set-cookie": "a=b" } }),
    );
    expect(answer).toEqual({ status: 201, content_type: "application/json", text: '{"ok":true}', truncated: false });
    expect(requests).toMatchObject([
      { url: URL_OF_VENDOR, init: { method: "POST", body: POST.body, redirect: "manual", cache: "no-store" } },
    ]);
    expect(Object.fromEntries(requests[0]?.headers ?? [])).toEqual({
      authorization: "Bearer s3cret",
      "content-type": "application/json",
      "user-agent": "Switchboard/1.0",
    });
  });

  it("returns the response of any status, with an empty text if it has no body", async () => {
    for (const status of [204, 304, 400, 404, 500, 503]) {
      const answer = await fetchVendor(GET, () => new Response(null, { status }));
      expect(answer).toEqual({ status, content_type: "", text: "", truncated: false });
    }
  });

  it.each([
    "Host",
    "cookie",
    "Connection",
    "content-length",
    "Transfer-Encoding",
    "proxy-authorization",
    "TE",
    "Upgrade",
  ])("a request to a vendor is not made with the header %s", async (name) => {
    const message = await refusal(fetchVendor({ ...GET, headers: { [name]: "s3cret" } }, () => new Response()));
    expect(message).toBe(`the header ${name} cannot be sent`);
    expect(requests).toEqual([]);
  });

  it.each([
    ["a line break", { "x-a": "s3cret\r\nhost: evil" }],
    ["an invalid name", { "x a": "s3cret" }],
  ])("a request to a vendor is not made with %s in a header", async (_, headers) => {
    const message = await refusal(fetchVendor({ ...GET, headers }, () => new Response()));
    expect(message).toMatch(/^the header x.a has a name or a value that cannot be sent$/);
  });

  it("a request is not sent to a hostile address", async () => {
    for (const { rule, addresses } of HOSTILE) {
      for (const url of addresses) {
        const message = await refusal(fetchVendor({ ...GET, url }, () => new Response()));
        expect.soft(message.replace("the address is refused: ", ""), url).toMatch(rule);
      }
    }
    expect(requests).toEqual([]);
  });

  it("the runtime accepts a request to a vendor, and fetch is not called as a method", async () => {
    const rules = egressRules({ ...SERVICE, TOOL_HOSTS: "127.0.0.1:1" });
    const observed: unknown[] = [];
    const wire = async function (this: unknown, ...[input, init]: Parameters<typeof fetch>) {
      observed.push(this);
      return fetch(input, init).catch((error: unknown) => {
        observed.push(String(error));
        throw error;
      });
    } as typeof fetch;
    const request = { ...GET, url: "http://127.0.0.1:1/" };
    const message = await refusal(fetchOut(request, { rules, fetch: wire, timeout_ms: 10_000, max_bytes: 10 }));
    expect(message).toBe("127.0.0.1:1 could not be reached");
    expect(observed).toEqual([undefined, expect.stringMatching(/connection|network/i)]);
  });
});

describe("a response", () => {
  const endless = (chunk: Uint8Array, sent = { bytes: 0, cancelled: false }) => ({
    sent,
    body: new ReadableStream<Uint8Array>({
      pull(controller) {
        sent.bytes += chunk.length;
        controller.enqueue(chunk);
      },
      cancel() {
        sent.cancelled = true;
      },
    }),
  });

  it("a response is cut at the limit without reading more of it", async () => {
    const { sent, body } = endless(new Uint8Array(10_000).fill(97));
    const answer = await fetchVendor(GET, () => new Response(body), { max_bytes: 25_000 });
    expect(answer).toMatchObject({ status: 200, truncated: true, text: "a".repeat(25_000) });
    expect(sent.cancelled).toBe(true);
    expect(sent.bytes).toBeLessThanOrEqual(50_000);
  });

  it("a response is complete up to the limit, to the byte", async () => {
    const of = (bytes: number) => fetchVendor(GET, () => new Response("a".repeat(bytes)), { max_bytes: 1_000 });
    expect(await of(1_000)).toMatchObject({ truncated: false, text: "a".repeat(1_000) });
    expect(await of(1_001)).toMatchObject({ truncated: true, text: "a".repeat(1_000) });
  });

  it("a response is never cut inside a character", async () => {
    for (const [max_bytes, text] of [
      [3, "é"],
      [4, "éé"],
      [5, "éé"],
    ] as const)
      expect(await fetchVendor(GET, () => new Response("ééé"), { max_bytes })).toMatchObject({ truncated: true, text });
  });

  it("a response's size is measured instead of trusting the length it claims", async () => {
    const short = await fetchVendor(GET, () => new Response("short", { headers: { "content-length": "99999999" } }));
    expect(short).toMatchObject({ text: "short", truncated: false });
  });

  it("a response that breaks off is an error", async () => {
    let pulls = 0;
    const body = () =>
      new ReadableStream<Uint8Array>({
        pull(controller) {
          if (pulls++ === 0) controller.enqueue(new Uint8Array(10));
          else controller.error(new TypeError("s3cret"));
        },
      });
    const message = await refusal(fetchVendor(GET, () => new Response(body())));
    expect(message).toBe("api.vendor.com ended its response early");
  });

  it("a response that does not arrive is reported without the network's own message", async () => {
    const message = await refusal(fetchVendor(GET, () => Promise.reject(new TypeError("s3cret"))));
    expect(message).toBe("api.vendor.com could not be reached");
  });
});

describe("the time limit", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    return () => vi.useRealTimers();
  });
  const late = async (answer: () => Response | Promise<Response>, limits = {}) => {
    const outcome = refusal(fetchVendor(GET, answer, limits));
    await vi.advanceTimersByTimeAsync(9_999);
    const signal = requests[0]?.init.signal;
    expect(signal?.aborted).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(await outcome).toBe("no complete response arrived within 10 s");
    expect(signal?.aborted).toBe(true);
  };

  it("ends the wait for a response, even if the connection ignores it", () => late(() => new Promise(() => {})));

  it("ends a response that trickles", async () => {
    const cancelled = vi.fn();
    await late(() => {
      const dripping = new ReadableStream<Uint8Array>({
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 100));
          controller.enqueue(new Uint8Array(1));
        },
        cancel: cancelled,
      });
      return new Response(dripping);
    });
    expect(cancelled).toHaveBeenCalled();
  });

  it("ends a response that stops within its body", () =>
    late(() => new Response(new ReadableStream({ pull: () => new Promise(() => {}) }))));

  it("covers all redirects together", async () => {
    await late(async () => {
      await new Promise((resolve) => setTimeout(resolve, 4_000));
      return redirect("/again");
    });
    expect(requests).toHaveLength(3);
  });

  it("leaves no timer behind", async () => {
    await fetchVendor(GET, () => new Response("ok"));
    expect(vi.getTimerCount()).toBe(0);
    await refusal(fetchVendor(GET, () => redirect("https://localhost/")));
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("a redirect", () => {
  const once = (location: string, status: number) => () =>
    requests.length === 1 ? redirect(location, status) : new Response("there");

  it.each([
    [301, "GET", "GET"],
    [302, "GET", "GET"],
    [303, "GET", "GET"],
    [307, "GET", "GET"],
    [308, "GET", "GET"],
    [301, "POST", "GET"],
    [302, "POST", "GET"],
    [303, "POST", "GET"],
    [307, "POST", "POST"],
    [308, "POST", "POST"],
    [301, "PUT", "PUT"],
    [302, "DELETE", "DELETE"],
    [303, "PUT", "GET"],
    [303, "HEAD", "HEAD"],
  ])("a redirect of %i changes a %s into a %s", async (status, method, then) => {
    const body = method === "POST" || method === "PUT" ? POST.body : null;
    const answer = await fetchVendor({ ...POST, method, body }, once("/v2?x", status));
    expect(answer).toMatchObject({ status: 200, text: "there" });
    expect(paths()).toEqual([`${method} /v1/orders`, `${then} /v2`]);
    const [, second] = requests;
    const kept = method === then && status !== 303;
    expect(second?.init.body).toBe(kept ? body : null);
    expect(second?.headers.get("content-type")).toBe(kept ? "application/json" : null);
    expect(second?.headers.get("authorization")).toBe("Bearer s3cret");
    expect(second?.init.redirect).toBe("manual");
  });

  it("at most three redirects are followed, even in a circle", async () => {
    let left = 3;
    expect(await fetchVendor(GET, () => (left-- > 0 ? redirect("/on") : new Response("there")))).toMatchObject({
      text: "there",
    });
    requests.length = 0;
    expect(await refusal(fetchVendor(GET, () => redirect(URL_OF_VENDOR)))).toBe(
      "api.vendor.com redirected more than 3 times",
    );
    expect(requests).toHaveLength(4);
  });

  it("a redirect to a hostile address is never followed", async () => {
    for (const { rule, addresses } of HOSTILE) {
      for (const address of addresses.filter((one) => URL.canParse(one))) {
        requests.length = 0;
        const location = new URL(address).href;
        const message = await refusal(fetchVendor(GET, () => redirect(location)));
        expect.soft(message, location).toMatch(/^a redirect from api\.vendor\.com is refused: /);
        expect.soft(message.replace(/^.*?: /, ""), location).toMatch(rule);
        expect.soft(requests).toHaveLength(1);
      }
    }
  });

  it("a redirect to another host is not followed, however similar its name", async () => {
    for (const location of [
      "https://evil.com/?s3cret",
      "//www.vendor.com/",
      "https://vendor.com/",
      "https://api.vendor.com./",
    ]) {
      requests.length = 0;
      const message = await refusal(fetchVendor(POST, () => redirect(location)));
      expect(message).toMatch(/^api\.vendor\.com redirected to another host, [a-z.]+$/);
      expect(requests).toHaveLength(1);
    }
  });

  it("a redirect without a readable target is refused", async () => {
    const message = await refusal(fetchVendor(GET, () => redirect("https://[::1")));
    expect(message).toBe("a redirect from api.vendor.com is refused: the address is invalid");
  });

  it("a redirect without a location, or another status with one, is a response", async () => {
    expect(await fetchVendor(GET, () => redirect(null))).toMatchObject({ status: 302, text: "moved" });
    expect(await fetchVendor(GET, () => redirect("/x", 300))).toMatchObject({ status: 300, text: "moved" });
    expect(requests).toHaveLength(2);
  });

  it("leads from http to https if the operator permits the host, and never back", async () => {
    const limits = { TOOL_HOSTS: "vendor.lan" };
    const at = (protocol: string) => ({ ...POST, url: `${protocol}://vendor.lan/` });
    expect(await fetchVendor(at("http"), once("https://vendor.lan/", 307), limits)).toMatchObject({ text: "there" });
    requests.length = 0;
    expect(await refusal(fetchVendor(at("https"), once("http://vendor.lan/", 307), limits))).toBe(
      "vendor.lan redirected from https to http",
    );
  });
});

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import type { OutRequest } from "../../../src/kernel/egress/open-out.ts";
import type { StreamOrder } from "./order.ts";
import { RUNTIMES, type Runtime } from "./runtimes.ts";

const MEGABYTE = 1024 * 1024;
const MAX_BYTES = 256 * 1024;
type Handler = (request: IncomingMessage, response: ServerResponse) => void;

const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Starts a vendor on this machine with this handler. */
async function vendor(handler: Handler) {
  const requests: { method: string; path: string; headers: IncomingMessage["headers"]; body: string }[] = [];
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += String(chunk);
    requests.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers, body });
    handler(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return { requests, host: `127.0.0.1:${(server.address() as AddressInfo).port}` };
}

describe.each(Object.entries(RUNTIMES))("over real connections of %s", (name, start) => {
  let runtime: Runtime;
  beforeAll(async () => {
    runtime = await start();
  });
  afterAll(() => runtime.stop());

  function outcome(
    host: string,
    { timeout_ms = 10_000, ...request }: Partial<OutRequest> & { timeout_ms?: number } = {},
  ) {
    const { method = "GET", url = `http://${host}/`, headers = {}, body = null } = request;
    const rules = { allowed: [host], own: [] };
    return runtime.send({
      request: { method, url, headers, body },
      limits: { rules, timeout_ms, max_bytes: MAX_BYTES },
    });
  }
  async function answerOf(...args: Parameters<typeof outcome>) {
    const result = await outcome(...args);
    return "answer" in result ? result.answer : expect.fail(JSON.stringify(result));
  }
  async function refusal(...args: Parameters<typeof outcome>) {
    const result = await outcome(...args);
    return "refused" in result ? result.refused : expect.fail(JSON.stringify(result));
  }

  it("a request arrives unchanged, and no cookie is returned", async () => {
    const { host, requests } = await vendor((request, response) => {
      if (request.url === "/") response.writeHead(307, { location: "/there", "set-cookie": "a=b" }).end("x");
      else response.writeHead(200, { "content-type": "application/json" }).end('{"ok":true}');
    });
    const answer = await answerOf(host, { method: "POST", headers: { "x-key": "k" }, body: "hello" });
    expect(answer).toEqual({ status: 200, content_type: "application/json", text: '{"ok":true}', truncated: false });
    expect(requests.map(({ method, path, body }) => [method, path, body])).toEqual([
      ["POST", "/", "hello"],
      ["POST", "/there", "hello"],
    ]);
    for (const { headers } of requests) {
      expect(headers).toMatchObject({ host, "x-key": "k", "user-agent": "Switchboard/1.0" });
      expect(headers.cookie).toBeUndefined();
    }
  });

  it("a response of 10 MB is cut off at the limit, and the connection is closed", async () => {
    let closed = () => {};
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { host } = await vendor((_, response) => {
      response.on("close", closed);
      response.end("a".repeat(10 * MEGABYTE));
    });
    const answer = await answerOf(host);
    expect([answer.truncated, answer.text.length]).toEqual([true, MAX_BYTES]);
    await gone;
  });

  it("a small compressed body that expands to 100 MB is cut off at the limit", async () => {
    const bomb = gzipSync(Buffer.alloc(100 * MEGABYTE, "a"));
    expect(bomb.length).toBeLessThan(MEGABYTE / 8);
    const { host } = await vendor((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip", "content-length": String(bomb.length) }).end(bomb);
    });
    const before = process.memoryUsage().rss;
    const answer = await answerOf(host);
    expect([answer.truncated, answer.text]).toEqual([true, "a".repeat(MAX_BYTES)]);
    if (name === "node") expect(process.memoryUsage().rss - before).toBeLessThan(50 * MEGABYTE);
  });

  it("an uncompressed body that claims to be compressed counts as interrupted", async () => {
    const { host } = await vendor((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end("not gzip");
    });
    expect(await refusal(host)).toBe(`${host} ended its response early`);
  });

  it.each<[what: string, handler: Handler]>([
    ["hangs", () => {}],
    ["hangs after its headers", (_, response) => response.writeHead(200).flushHeaders()],
    [
      "drips",
      (_, response) => {
        const timer = setInterval(() => response.write("a"), 5);
        response.on("close", () => clearInterval(timer));
      },
    ],
  ])("a request to a server that %s is aborted after the time limit", async (_, handler) => {
    let closed = () => {};
    const gone = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { host } = await vendor((request, response) => {
      response.on("close", closed);
      handler(request, response);
    });
    expect(await refusal(host, { timeout_ms: 200 })).toBe("no complete response arrived within 0.2 s");
    await gone;
  });

  it("a server that resets before it answers counts as unreachable", async () => {
    const { host } = await vendor((request) => request.socket.resetAndDestroy());
    expect(await refusal(host)).toBe(`${host} could not be reached`);
  });

  it("a server that resets during its response counts as interrupted", async () => {
    const { host } = await vendor((request, response) => {
      response.writeHead(200, { "content-length": "100" });
      response.write("half", () => setImmediate(() => request.socket.resetAndDestroy()));
    });
    expect(await refusal(host)).toBe(`${host} ended its response early`);
  });

  it("a server that does not speak HTTP counts as unreachable", async () => {
    const open = new Set<Socket>();
    const server = createTcpServer((socket) => {
      open.add(socket);
      socket.on("error", () => {});
      socket.end("220 mail.vendor.com ESMTP\r\n");
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    closing.push(() => {
      server.close();
      for (const socket of open) socket.destroy();
    });
    const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await refusal(host)).toBe(`${host} could not be reached`);
  });

  it("a server that redirects endlessly is followed three times", async () => {
    const { host, requests } = await vendor((_, response) => {
      response.writeHead(302, { location: `/${requests.length}` }).end("a".repeat(MEGABYTE));
    });
    expect(await refusal(host)).toBe(`${host} redirected more than 3 times`);
    expect(requests.map(({ path }) => path)).toEqual(["/", "/1", "/2", "/3"]);
  });

  it("another server on this machine is not reached by a redirect", async () => {
    const other = await vendor((_, response) => response.end("inside"));
    for (const location of [
      `http://${other.host}/`,
      `http://localhost:${other.host.split(":")[1]}/`,
      "http://[::1]/",
    ]) {
      const { host, requests } = await vendor((_, response) => response.writeHead(302, { location }).end());
      expect(await refusal(host)).toMatch(/is refused: the address must use https:, not http:/);
      expect(requests).toHaveLength(1);
    }
    expect(other.requests).toEqual([]);
  });

  describe("a stream", () => {
    /** Starts a vendor with this handler, and observes when the connection of its response is closed. */
    async function streaming(handler: Handler, others: Record<string, Handler> = {}) {
      const gone = Promise.withResolvers<void>();
      const { host } = await vendor((request, response) => {
        const other = others[request.url ?? ""];
        if (other) return other(request, response);
        response.on("close", gone.resolve);
        handler(request, response);
      });
      type Wanted = Omit<StreamOrder, "host" | "bounds"> & { bounds?: Partial<StreamOrder["bounds"]> };
      const read = ({ bounds, ...rest }: Wanted = {}) => {
        const request = { method: "GET", url: `http://${host}/`, headers: {}, body: null };
        const all = Object.assign({ total_ms: 10_000, max_bytes: MAX_BYTES }, bounds);
        return runtime.send({ request, stream: Object.assign({ host, bounds: all }, rest) });
      };
      return { host, gone: gone.promise, read };
    }
    const dripping: Handler = (_, response) => {
      const timer = setInterval(() => response.write("a"), 5);
      response.on("close", () => clearInterval(timer));
    };
    /** Sends without end, as fast as the client reads. */
    const endless: (count: (bytes: number) => void) => Handler = (count) => (_, response) => {
      const chunk = Buffer.alloc(64 * 1024, "a");
      const more = () => {
        while (!response.destroyed) {
          count(chunk.length);
          if (!response.write(chunk)) return void response.once("drain", more);
        }
      };
      more();
    };

    it("a stream aborted by its caller before the head ends the request", async () => {
      const arrived = Promise.withResolvers<void>();
      const { gone, read } = await streaming(() => arrived.resolve(), {
        "/started": async (_, response) => {
          await arrived.promise;
          response.end();
        },
      });
      expect(await read({ abort: "before_head" })).toMatchObject({ reason: "aborted", bytes: 0 });
      await gone;
    });

    it("a stream aborted by its caller during the body ends the request", async () => {
      const { gone, read } = await streaming(dripping);
      expect(await read({ abort: 3 })).toMatchObject({ reason: "aborted" });
      await gone;
    });

    it("a stream ends if the server is silent for too long", async () => {
      const { host, gone, read } = await streaming((_, response) => void response.write("a"));
      expect(await read({ bounds: { head_ms: 9_000, idle_ms: 100 } })).toEqual({
        refused: `${host} sent nothing within 0.1 s`,
        reason: "timeout",
        bytes: 1,
      });
      await gone;
    });

    it("a stream ends if the server never answers", async () => {
      const { gone, read } = await streaming(() => {});
      expect(await read({ bounds: { head_ms: 100 } })).toMatchObject({ reason: "timeout", bytes: 0 });
      await gone;
    });

    it("a stream ends at its limit in the middle of a decompression bomb", async () => {
      const bomb = gzipSync(Buffer.alloc(100 * MEGABYTE, "a"));
      const { gone, read } = await streaming((_, response) => {
        response.writeHead(200, { "content-encoding": "gzip" }).write(bomb.subarray(0, -1));
      });
      expect(await read()).toMatchObject({ reason: "too_large", bytes: MAX_BYTES });
      await gone;
    });

    it("a stream ends if the head is too large", async () => {
      const { gone, read } = await streaming((_, response) => {
        for (let n = 0; n < 40; n++) response.setHeader(`x-${n}`, "a".repeat(1_000));
        response.write("a");
      });
      // Node itself refuses a response head of more than 16 KB.
      expect(await read()).toMatchObject({ reason: name === "node" ? "unreachable" : "too_large", bytes: 0 });
      await gone;
    });

    it("a stream is not read ahead of its reader and closes the connection when the reader leaves", async () => {
      let sent = 0;
      const count = (bytes: number) => {
        sent += bytes;
      };
      const { gone, read } = await streaming(endless(count), {
        "/sent": (_, response) => void response.end(String(sent)),
      });
      const outcome = await read({ bounds: { max_bytes: 1_000 * MEGABYTE }, pauses: 100 });
      expect("sent" in outcome ? Number(outcome.sent) : expect.fail(JSON.stringify(outcome))).toBeLessThan(
        30 * MEGABYTE,
      );
      await gone;
    });
  });
});

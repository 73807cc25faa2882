import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { join } from "node:path";
import { build } from "esbuild";
import { convertV4MiniflareOptions, Miniflare } from "miniflare";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Verdict } from "../../../src/phone/carriers/numbers/numbers.ts";

/** The Workers runtime with its own sockets, as in a deployment. */
let worker: Miniflare;
const closing: (() => void)[] = [];

beforeAll(async () => {
  const entryPoints = [join(import.meta.dirname, "reachability-worker.ts")];
  const external = ["cloudflare:*", "node:async_hooks"];
  const { outputFiles } = await build({ entryPoints, bundle: true, format: "esm", write: false, external });
  const options = {
    modules: true,
    script: outputFiles[0]?.text ?? "",
    compatibilityDate: "2026-10-20",
    cf: false,
    telemetry: { enabled: false },
    handleStructuredLogs: () => {},
  };
  worker = new Miniflare(convertV4MiniflareOptions(options as Parameters<typeof convertV4MiniflareOptions>[0]));
  await worker.ready;
});
afterAll(async () => {
  for (const close of closing) close();
  await worker.dispose();
});

/** Checks whether calls at a carrier on this machine can be connected to a runtime on this port. */
async function runtimeAt(port: number, timeout_ms?: number): Promise<Verdict> {
  const api = "http://127.0.0.1:9";
  const env = {
    PUBLIC_URL: "http://127.0.0.1:8787",
    VOICE_RUNTIME_URL: `ws://127.0.0.1:${port}/ws`,
    TWILIO_API_URL: api,
  };
  const body = JSON.stringify({ env, provider: "twilio", arrivedAt: "127.0.0.1:8787", timeout_ms });
  const answer = await worker.dispatchFetch("http://worker/", { method: "POST", body });
  return ((await answer.json()) as { runtime: Verdict }).runtime;
}

/** Creates a server that handles a handshake with `upgrade`. */
async function answering(upgrade: (socket: Socket, request: IncomingMessage) => void): Promise<number> {
  const server = createServer((_, response) => response.writeHead(404).end());
  const sockets = new Set<Socket>();
  server.on("upgrade", (request, socket) => {
    sockets.add(socket as Socket);
    upgrade(socket as Socket, request);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe("a media runtime over real sockets", () => {
  it("a runtime that takes a connection is reachable, and the connection is closed at once", async () => {
    const frames = Promise.withResolvers<Buffer>();
    const port = await answering((socket, { headers }) => {
      // The accept key by RFC 6455, 4.2.2.
      const accept = createHash("sha1").update(`${headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`);
      const head = ["HTTP/1.1 101 Switching Protocols", "upgrade: websocket", "connection: upgrade"];
      socket.write([...head, `sec-websocket-accept: ${accept.digest("base64")}`, "", ""].join("\r\n"));
      socket.once("data", frames.resolve);
    });
    expect(await runtimeAt(port)).toEqual({
      ok: true,
      detail: "The media runtime (VOICE_RUNTIME_URL) accepts connections.",
    });
    const CLOSE = 0x88;
    expect((await frames.promise)[0]).toBe(CLOSE);
  });

  it("a runtime that refuses connections without a session is reachable", async () => {
    const port = await answering((socket) => socket.end("HTTP/1.1 401 Unauthorized\r\ncontent-length: 0\r\n\r\n"));
    expect(await runtimeAt(port)).toMatchObject({ ok: true, detail: expect.stringContaining("(401)") });
  });

  it.each<[string, (socket: Socket) => void, RegExp]>([
    [
      "is something else",
      (socket) => socket.end("HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n"),
      /a WebSocket request with 404/,
    ],
    ["breaks the connection", (socket) => socket.destroy(), /did not answer/],
  ])("a runtime that %s is not reachable", async (_, upgrade, expected) => {
    const { ok, detail } = await runtimeAt(await answering(upgrade));
    expect([ok, detail]).toEqual([false, expect.stringMatching(expected)]);
  });

  it("a runtime that never answers is not reachable after a bounded wait", async () => {
    expect(await runtimeAt(await answering(() => undefined), 50)).toEqual({
      ok: false,
      detail: "The media runtime (VOICE_RUNTIME_URL) did not answer within 0.05 s.",
    });
  });
});

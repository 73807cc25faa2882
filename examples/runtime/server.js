/* The server that carriers connect calls to: finds out whose call a socket is, and leads its frames to it. */

import { createServer } from "node:http";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import { WebSocketServer } from "ws";
import { Call } from "./call.js";
import { meaning, recognise } from "./carriers.js";
import { ofCall, Reporter, Session } from "./session.js";

/** A carrier begins at once; whoever says nothing is no carrier, ms. */
const FIRST_FRAME_MS = 10_000;
/** Carriers' frames are a few hundred bytes. */
const MAX_FRAME_BYTES = 64 * 1024;
/** What a carrier does not fetch in time is a line that is gone. */
const MAX_UNSENT_BYTES = 1024 * 1024;
const MAX_CALLS = 100;
/** The reason to close with that says "not you" (RFC 6455: 4000 and above are ours). */
const REFUSED = 4401;

/**
 * Starts the runtime. `stop` ends its calls and resolves when Switchboard knows of everything.
 * @param {{ port: number, switchboardUrl: string, transferTo?: string, host?: string, fetch?: typeof fetch }} options
 */
export async function startRuntime({ port, switchboardUrl, transferTo = "", host, fetch = globalThis.fetch }) {
  const http = createServer((_, response) => response.writeHead(426, { upgrade: "websocket" }).end("WebSocket only\n"));
  const server = new WebSocketServer({ server: http, maxPayload: MAX_FRAME_BYTES, perMessageDeflate: false });
  /** The calls under way, and those of which not everything was told yet. */
  const calls = new Set();
  const telling = new Set();

  server.on("connection", (socket, request) => {
    socket.on("error", () => {});
    if (server.clients.size > MAX_CALLS) return socket.close(1013, "too many calls");
    const timer = setTimeout(() => socket.close(4408, "nothing was said in time"), FIRST_FRAME_MS);
    socket.on("close", () => clearTimeout(timer));
    /** Null until the stream has begun, then until Switchboard has told whose call it is. */
    let line = null;
    let call = null;

    const begin = async (recognised) => {
      clearTimeout(timer);
      line = recognised;
      const { dialect, streamId, token } = recognised;
      if (typeof token !== "string" || token === "") throw new Error("the stream has no session token");
      const session = new Session(switchboardUrl, ofCall(token), fetch);
      const snapshot = await session.get();
      // The caller may have hung up meanwhile. Nothing was said, and nothing is told.
      if (socket.readyState !== socket.OPEN) return;
      const send = (frame) => {
        if (socket.readyState !== socket.OPEN) return;
        if (socket.bufferedAmount > MAX_UNSENT_BYTES) return socket.terminate();
        socket.send(frame instanceof Uint8Array ? frame : JSON.stringify(frame));
      };
      const reporter = new Reporter(session);
      call = new Call({
        rate: dialect.rate,
        play: (samples) => send(dialect.audio(streamId, dialect.encode(samples))),
        clear: () => send(dialect.clear(streamId)),
        close: () => {
          socket.close(1000);
          calls.delete(mine);
          const told = reporter.drain().finally(() => telling.delete(told));
          telling.add(told);
        },
        snapshot,
        session,
        reporter,
        transferTo,
      });
      const mine = call;
      calls.add(mine);
      // Once the session is over there is nobody to talk for.
      reporter.onRefused = () => mine.end("session_ended");
      console.log(`${dialect.name} call of agent ${snapshot.agent.name}`);
    };

    socket.on("message", (data, isBinary) => {
      if (isBinary) return call?.heard(line.dialect.decode(data));
      const frame = parsed(data);
      if (frame === null) return;
      if (line === null) {
        const recognised = recognise(frame, request);
        if (recognised === null) return;
        begin(recognised).catch((error) => {
          console.error(`call refused: ${error.message}`);
          socket.close(REFUSED, "the session was refused");
        });
        return;
      }
      const said = meaning(frame);
      if (said?.type === "stop" && call === null) return socket.close(1000);
      if (said?.type === "stop") return call.end("caller_hung_up");
      if (said?.type === "digit") return call?.pressed(said.digit);
      if (said?.type === "audio") return call?.heard(line.dialect.decode(said.bytes));
    });
    // Vonage and Plivo close the socket when the call is over, and say nothing before.
    socket.on("close", (code) => call?.end(code === 1000 || code === 1005 ? "caller_hung_up" : "disconnected"));
  });

  await new Promise((resolve, reject) => http.once("error", reject).listen(port, host, resolve));
  return {
    port: http.address().port,
    server,
    async stop() {
      for (const call of [...calls]) call.end("runtime_stopped");
      await Promise.all(telling);
      for (const socket of server.clients) socket.terminate();
      await new Promise((resolve) => http.close(resolve));
    },
  };
}

/** A text frame's JSON object; null for what is none. */
function parsed(data) {
  try {
    const frame = JSON.parse(data.toString());
    return typeof frame === "object" && !Array.isArray(frame) ? frame : null;
  } catch {
    return null;
  }
}

if (argv[1] === fileURLToPath(import.meta.url)) {
  const { PORT = "8788", SWITCHBOARD_URL = "http://localhost:8787", TRANSFER_TO = "" } = process.env;
  const runtime = await startRuntime({
    port: Number(PORT),
    switchboardUrl: SWITCHBOARD_URL,
    transferTo: TRANSFER_TO,
  });
  console.log(`runtime at ws://localhost:${runtime.port}, Switchboard at ${SWITCHBOARD_URL}`);
  for (const signal of ["SIGINT", "SIGTERM"]) {
    process.once(signal, async () => {
      await runtime.stop();
      process.exit(0);
    });
  }
}

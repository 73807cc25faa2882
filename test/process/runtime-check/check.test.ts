import { once } from "node:events";
import { type AddressInfo, createServer, type Socket as NetSocket } from "node:net";
import { beforeAll, describe, expect, it } from "vitest";
import { startRuntime } from "../../../examples/runtime/server.js";
import { checkRuntime, type Plan } from "../../../packages/runtime-check/src/check.ts";
import { until } from "../../../packages/runtime-check/src/line.ts";
import { Report } from "../../../packages/runtime-check/src/report.ts";
import { freePort } from "../campaigns/service.ts";
import { BREAKAGES, type Breakage, type Socket } from "./broken.ts";
import { startRelay } from "./relay.js";

/** Long enough for a runtime on this machine, ms. */
const CHECK_TIMEOUT_MS = 5_000;
/** How long to wait for an event that never arrives, ms, not counting time in which the machine is stalled. */
const BROKEN_TIMEOUT_MS = 1_200;

/** Checks the example, broken or not, as its author would. */
async function checked(speaks: Plan["speaks"], breakage: Partial<Breakage> = {}): Promise<Report> {
  const { fetch, socket, what } = breakage;
  const timeoutMs = what === undefined ? CHECK_TIMEOUT_MS : BROKEN_TIMEOUT_MS;
  const contract = { port: await freePort() };
  const options = { port: 0, host: "127.0.0.1", switchboardUrl: `http://127.0.0.1:${contract.port}` };
  const isText = speaks === "conversation-relay" || speaks === "widget";
  const runtime = isText
    ? await startRelay(options)
    : await startRuntime({ ...options, ...(fetch && { fetch: fetch() }) });
  runtime.server.on("connection", (one: Socket) => socket?.(one, runtime.server.clients.size));
  const report = new Report();
  await checkRuntime({ url: `ws://127.0.0.1:${runtime.port}`, speaks, timeoutMs, contract }, report);
  for (const client of runtime.server.clients) client.terminate();
  runtime.server.close();
  return report;
}

const verdicts = ({ checks }: Report, verdict: string) =>
  checks.filter((check) => check.verdict === verdict).map(({ name, detail }) => `${name}: ${detail}`);
const names = ({ checks }: Report, verdict: string) =>
  checks.filter((check) => check.verdict === verdict).map(({ name }) => name);

const speakers = ["twilio", "signalwire", "telnyx", "plivo", "vonage", "conversation-relay", "widget"] as const;
let whole: Report[];
let broken: Report[];

beforeAll(async () => {
  [whole, broken] = await Promise.all([
    Promise.all(speakers.map((speaks) => checked(speaks))),
    Promise.all(BREAKAGES.map((breakage) => checked("twilio", breakage))),
  ]);
}, 120_000);

describe("npm run runtime:check", () => {
  it.each([
    ["nothing answers", null],
    [
      "something else answers",
      (socket: NetSocket) => socket.end("HTTP/1.1 403 Forbidden\r\ncontent-length: 0\r\n\r\n"),
    ],
    ["the handshake is not answered", () => undefined],
  ])("the runtime check ends after the first check if %s", async (_, answer) => {
    const server = answer && createServer(answer).listen(0, "127.0.0.1");
    if (server) await once(server, "listening");
    const port = server ? (server.address() as AddressInfo).port : await freePort();
    const report = new Report();
    const contract = { port: await freePort() };
    await checkRuntime({ url: `ws://127.0.0.1:${port}`, speaks: "twilio", timeoutMs: 300, contract }, report);
    expect(names(report, "FAILED")).toEqual(["accepts the connection"]);
    server?.close();
  });

  it("does not blame a runtime for a busy machine", async () => {
    let looks = 0;
    const isSo = until(() => ++looks > 5, 200);
    const busyUntil = Date.now() + 400;
    while (Date.now() < busyUntil);
    expect(await isSo).toBe(true);
    expect(await until(() => false, 100)).toBe(false);
  });

  it.each(speakers)("the runtime check finds nothing wrong with the example over %s", (speaks) => {
    const report = whole[speakers.indexOf(speaks)] ?? expect.fail("it did not run");
    expect(verdicts(report, "FAILED")).toEqual([]);
    // A machine that is busy with other tests interrupts late.
    expect(names(report, "advice").filter((name) => !/interrupts|interrupted/.test(name))).toEqual([]);
    expect(names(report, "ok").length).toBeGreaterThan(18);
  });

  it.each(BREAKAGES)("the runtime check detects a runtime that $what", (breakage) => {
    const report = broken[BREAKAGES.indexOf(breakage)] ?? expect.fail("it did not run");
    expect(names(report, "FAILED")).toEqual(expect.arrayContaining(breakage.finds));
  });
});

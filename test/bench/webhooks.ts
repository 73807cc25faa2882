import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { percentile, spread } from "./figures.ts";
import { type Account, startService } from "./service.ts";

const LIVE = 7;
/** The faults of dead endpoints: never answering, refusing connections, or answering 500. */
const DEAD = ["hangs", "refuses", "breaks"] as const;
const ROUNDS = 5;
/** The number of concurrent requests that create events, and of events per request. */
const AT_ONCE = 4;
const PER_REQUEST = 5;
const POLL_MS = 50;
/** A round without a delivery for this long has stalled. */
const STALLED_MS = 60_000;
/** A port on which nothing listens. */
const CLOSED_PORT = 9;

/** Measures the delay from an event to its webhooks, with and without three dead ones. */
export async function benchWebhooks(events: number): Promise<void> {
  console.log(`webhooks: ${events} events to ${LIVE} endpoints that answer, without and with ${DEAD.length} dead ones`);
  const receivers = await startReceivers();
  const { port } = receivers;
  const service = await startService({ TOOL_HOSTS: `127.0.0.1:${port},127.0.0.1:${CLOSED_PORT}` });
  try {
    const [without, beside] = await Promise.all([service.openAccount("without"), service.openAccount("beside")]);
    for (const account of [without, beside]) await addLive(account, port, account === without ? "without" : "beside");
    for (const dead of DEAD) {
      const at = dead === "refuses" ? CLOSED_PORT : port;
      await addWebhook(beside, `http://127.0.0.1:${at}/${dead}`);
    }
    const perRound = Math.ceil(events / ROUNDS / PER_REQUEST) * PER_REQUEST;
    // Alternates, so that other work on the machine affects both alike.
    for (let round = 0; round < ROUNDS; round++) {
      await oneRound(without, "without", round * perRound, perRound);
      await oneRound(beside, "beside", round * perRound, perRound);
    }
    const [alone, others] = [receivers.lags("without"), receivers.lags("beside")];
    console.log(`  without dead ones: ${alone.length} deliveries, ${spread(alone)}`);
    console.log(`  beside dead ones:  ${others.length} deliveries, ${spread(others)}`);
    console.log(`  the others' p99 is ${(percentile(others, 99) / percentile(alone, 99)).toFixed(2)} of that without`);
    console.log(`  ${receivers.doubled()} came twice`);
  } finally {
    await service.stop();
    await receivers.close();
  }

  async function oneRound(account: Account, name: string, first: number, count: number): Promise<void> {
    let made = 0;
    const makeSome = async () => {
      while (made < count) {
        const from = first + made;
        made += PER_REQUEST;
        const numbers = Array.from({ length: PER_REQUEST }, (_, i) => `+1303${5_550_000 + from + i}`);
        await account.client.post("/api/v1/do-not-call", { numbers });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, makeSome));
    const expected = (first + count) * LIVE;
    let [known, since] = [0, Date.now()];
    for (let come = 0; come < expected; come = receivers.lags(name).length) {
      if (come > known) [known, since] = [come, Date.now()];
      if (Date.now() - since > STALLED_MS)
        throw new Error(`${name}: ${come} of ${expected} deliveries, and no more come`);
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    }
  }
}

async function addLive(account: Account, port: number, name: string): Promise<void> {
  for (let n = 0; n < LIVE; n++) await addWebhook(account, `http://127.0.0.1:${port}/${name}/${n}`);
}

const addWebhook = ({ owner }: Account, url: string) =>
  owner.post("/api/v1/webhooks", { url, types: ["opt_out.added"] });

/** Starts receivers by path: `without/0`, `beside/0`, …, and the dead ones. */
async function startReceivers() {
  const lags = new Map<string, number[]>();
  const seen = new Set<string>();
  let doubled = 0;
  const lagsOf = (name: string): number[] => {
    const found = lags.get(name) ?? [];
    lags.set(name, found);
    return found;
  };
  const server = createServer(async (request, response) => {
    const arrived = Date.now();
    const path = request.url ?? "";
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    if (path === "/hangs") return;
    if (path === "/breaks") return void response.writeHead(500).end();
    const { id, timestamp } = JSON.parse(Buffer.concat(chunks).toString()) as { id: string; timestamp: string };
    const name = path.split("/")[1] ?? "";
    const key = `${path} ${id}`;
    if (seen.has(key)) doubled++;
    else lagsOf(name).push(arrived - Date.parse(timestamp));
    seen.add(key);
    response.writeHead(204).end();
  });
  // By default, Node closes idle connections after five seconds, possibly just when one is used again. The interrupted
  // delivery is retried seconds or minutes later, which says nothing about dead endpoints.
  server.keepAliveTimeout = 0;
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  return {
    port: (server.address() as AddressInfo).port,
    lags: lagsOf,
    doubled: () => doubled,
    async close() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}

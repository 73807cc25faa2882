import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type RunningWorker, startWorker } from "../support/worker.ts";

/** A broken connection is noticed at once or by the import's watch. The timeout is long enough for a slow machine. */
const WAIT = { timeout: 120_000, interval: 250 };
const CONTACTS = 30_000;

interface Listed {
  id: string;
  status: string;
  status_reason: string | null;
}

let worker: RunningWorker;
beforeAll(async () => {
  worker = await startWorker({});
}, 120_000);
afterAll(() => worker?.stop());

/** Returns a console user of a new account, as headers. */
async function newAccount(): Promise<Record<string, string>> {
  const account = `cut-${crypto.randomUUID().slice(0, 8)}`;
  const created = await fetch(`${worker.origin}/api/admin/v1/accounts`, {
    method: "POST",
    headers: { ...(await worker.signIn("service-admin")), "content-type": "application/json" },
    body: JSON.stringify({ name: account, plan: "scale" }),
  });
  expect(created.status).toBe(201);
  return worker.signIn(account);
}

async function list(headers: Record<string, string>): Promise<Listed[]> {
  const response = await fetch(`${worker.origin}/api/v1/campaigns`, { headers });
  return ((await response.json()) as { campaigns: Listed[] }).campaigns;
}

const statusOf = async (path: string, headers: Record<string, string>) =>
  (await fetch(worker.origin + path, { headers })).status;

const HEAD = '--b\r\ncontent-disposition: form-data; name="contacts"; filename="contacts.csv"\r\n\r\nphone_number\n';
const rows = (n: number) => Array.from({ length: n }, (_, i) => `+1202${5_000_000 + i}\n`).join("");

/** Opens a connection and sends half of an upload. */
async function beginUpload(headers: Record<string, string>, framing: "length" | "chunked"): Promise<Socket> {
  const { hostname, port, host } = new URL(worker.origin);
  const socket = connect(Number(port), hostname);
  socket.on("error", () => {});
  await once(socket, "connect");
  const part = HEAD + rows(CONTACTS);
  const lines = {
    ...headers,
    host,
    "content-type": "multipart/form-data; boundary=b",
    ...(framing === "length" ? { "content-length": String(2 * part.length) } : { "transfer-encoding": "chunked" }),
  };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`POST /api/v1/campaigns HTTP/1.1\r\n${head.join("")}\r\n`);
  socket.write(framing === "length" ? part : `${part.length.toString(16)}\r\n${part}\r\n`);
  return socket;
}

/** Returns the account's only campaign, once its upload is being read. */
function importing(headers: Record<string, string>): Promise<Listed> {
  return vi.waitFor(async () => {
    const [campaign] = await list(headers);
    if (campaign?.status !== "draft" || campaign.status_reason !== "importing") expect.fail("not listed yet");
    return campaign;
  }, WAIT);
}

describe("an upload whose connection is lost", () => {
  it.each<[string, "length" | "chunked", (socket: Socket) => unknown]>([
    ["is reset", "length", (socket) => socket.resetAndDestroy()],
    ["is destroyed", "length", (socket) => socket.destroy()],
    ["is closed before all was sent", "length", (socket) => socket.end()],
    ["is closed between two chunks", "chunked", (socket) => socket.end()],
    ["breaks the chunks' framing", "chunked", (socket) => socket.end("zz\r\nno chunk\r\n0\r\n\r\n")],
  ])(
    "an upload leaves nothing behind when it %s",
    async (_, framing, cut) => {
      const headers = await newAccount();
      const socket = await beginUpload(headers, framing);
      const left = await importing(headers);
      cut(socket);
      await vi.waitFor(async () => expect(await list(headers)).toEqual([]), WAIT);
      const path = `/api/v1/campaigns/${left.id}`;
      await vi.waitFor(async () => expect(await statusOf(path, headers)).toBe(404), WAIT);
      for (const part of ["/contacts", "/events", "/history"]) expect(await statusOf(path + part, headers)).toBe(404);
      socket.destroy();
    },
    300_000,
  );
});

describe("an upload whose campaign is deleted meanwhile", () => {
  it("gets an error, and leaves nothing behind", async () => {
    const headers = await newAccount();
    const socket = await beginUpload(headers, "chunked");
    const { id } = await importing(headers);
    const path = `/api/v1/campaigns/${id}`;
    expect((await fetch(worker.origin + path, { method: "DELETE", headers })).status).toBe(204);
    const rest = `${rows(CONTACTS)}\r\n--b--\r\n`;
    socket.write(`${rest.length.toString(16)}\r\n${rest}\r\n0\r\n\r\n`);
    const [answer] = await once(socket, "data");
    expect(String(answer)).toMatch(/^HTTP\/1\.1 409 .*x-error-code: campaign_deleted/s);
    socket.destroy();
    expect(await list(headers)).toEqual([]);
    expect(await statusOf(path, headers)).toBe(404);
  });
});

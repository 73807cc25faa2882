import { exports } from "cloudflare:workers";
import { expect, vi } from "vitest";
import { parsedBody } from "../../src/dev/event-stream.ts";
import { type Answer, BASE, type Client, type Tenant } from "../support/client.ts";
import { concat, field, file, formBytes } from "./multipart.ts";

export interface Campaign {
  id: string;
  name: string;
  status: string;
  status_reason: string | null;
  total_contacts: number;
  counts: Record<string, number>;
  import: { accepted: number; rejected: number; duplicates: number };
  [field: string]: unknown;
}

export const FROM = "+12025550100";

/** Returns a CSV of `n` contacts. `suffix` selects the sandbox's outcome by its last two digits. */
export function contactsCsv(n: number, suffix = "10"): string {
  const rows = Array.from({ length: n }, (_, i) => `+1303${String(i + 40_000).slice(-5)}${suffix},Person ${i}`);
  return `phone_number,name\n${rows.join("\n")}\n`;
}

/** Uploads a contact list as a browser's form does. */
export function upload(
  client: Client,
  csv: string | Blob,
  fields: Record<string, string> = {},
): Promise<Answer<Campaign>> {
  const form = new FormData();
  form.set("contacts", typeof csv === "string" ? new File([csv], "contacts.csv", { type: "text/csv" }) : csv);
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return client.send<Campaign>("POST", "/api/v1/campaigns", form);
}

export type Added = { accepted: number; rejected: number; duplicates: number };

/** Adds a contact list to the campaign at `path`, as a browser's form does. */
export function append(
  client: Client,
  path: string,
  csv: string | Blob,
  fields: Record<string, string> = {},
): Promise<Answer<Added>> {
  const form = new FormData();
  form.set("contacts", typeof csv === "string" ? new File([csv], "contacts.csv", { type: "text/csv" }) : csv);
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return client.send<Added>("POST", `${path}/contacts`, form);
}

/** Begins to add a list that skips invalid lines, and holds it until `finish` sends the rest. */
export async function heldAppend(client: Client, path: string, csv: string, rest: string) {
  const parts = [field("on_invalid", "skip"), file("|")];
  const [head = "", tail = ""] = new TextDecoder().decode(formBytes(parts, "b")).split("|");
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const type = { "content-type": "multipart/form-data; boundary=b" };
  const answer = client.send<Added>("POST", `${path}/contacts`, readable, type);
  await writer.write(concat(head, csv));
  const finish = async () => {
    await writer.write(concat(rest, tail));
    await writer.close();
    return answer;
  };
  return { finish };
}

/** Begins an upload with both import options, and holds it until `finish` sends its last contact. */
export function heldUpload(client: Client) {
  const parts = [field("default_country", "us"), field("on_invalid", "skip"), file("phone_number\n2025550101\n|")];
  const [head = "", tail = ""] = new TextDecoder().decode(formBytes(parts, "b")).split("|");
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
  const writer = writable.getWriter();
  const type = { "content-type": "multipart/form-data; boundary=b" };
  const answer = client.send<Campaign>("POST", "/api/v1/campaigns", readable, type);
  void writer.write(concat(head));
  const finish = async () => {
    await writer.write(concat("2025550102\n", tail));
    await writer.close();
    return answer;
  };
  return { answer, finish };
}

/** Creates an agent and a sandbox number, which a campaign needs to start. */
export async function ready({ server }: Pick<Tenant, "server">): Promise<{ agent_id: string; from_number: string }> {
  const agent = await server.post<{ id: string }>("/api/v1/agents", { name: "Caller", status: "active" });
  const number = await server.post("/api/v1/telephony/numbers", { e164: FROM, provider: "sandbox" });
  if (agent.status !== 201 || number.status !== 201) throw new Error(`not ready: ${agent.status} ${number.status}`);
  return { agent_id: agent.body.id, from_number: FROM };
}

/** Creates and starts a campaign, and returns its path. */
export async function started(
  who: Pick<Tenant, "server"> & { agent_id: string; from_number: string },
  csv: string,
  fields: Record<string, string> = {},
): Promise<string> {
  const { server, agent_id, from_number } = who;
  const created = await upload(server, csv, { agent_id, from_number, ...fields });
  const path = `/api/v1/campaigns/${created.body.id}`;
  expect((await server.post(`${path}/start`)).status).toBe(200);
  return path;
}

export interface Contact {
  id: string;
  phone_number: string;
  status: string;
  outcome: string | null;
  failure_reason: string | null;
  attempt_count: number;
  next_attempt_at: string | null;
  call_id: string | null;
  conversation_id: string | null;
  disposition: string | null;
  variables: Record<string, string>;
  waiting_for: string | null;
  attempts: Record<string, unknown>[];
}

/** Returns the current state of one of the campaign's contacts, by its position in the file. */
export async function contactOf(client: Client, campaign: string, place = 0): Promise<Contact> {
  type Page = { contacts: { id: string }[] };
  const { contacts } = (await client.get<Page>(`${campaign}/contacts?limit=1&offset=${place}`)).body;
  return (await client.get<Contact>(`${campaign}/contacts/${contacts[0]?.id}`)).body;
}

/** Polls until the answer satisfies `right`, and returns it. */
export function until<T>(ask: () => Promise<T>, right: (answer: T) => boolean): Promise<T> {
  return vi.waitFor(
    async () => {
      const answer = await ask();
      expect(right(answer), JSON.stringify(answer)).toBe(true);
      return answer;
    },
    { timeout: 100_000, interval: 20 },
  );
}

export interface SseEvent {
  event: string;
  /** Null if it had none. */
  id: string | null;
  data: Record<string, unknown>;
}

/** Opens a campaign's event stream and returns its body. */
async function streamBody(client: Client, id: string, headers: Record<string, string>) {
  const response = await exports.default.fetch(
    new Request(`${BASE}/api/v1/campaigns/${id}/events`, { headers: { ...client.headers, ...headers } }),
  );
  if (response.status !== 200 || !response.body) throw new Error(`no stream: ${response.status}`);
  return response.body;
}

/** Opens a campaign's event stream as text. */
export async function openStream(client: Client, id: string, headers: Record<string, string> = {}) {
  const body = await streamBody(client, id, headers);
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  /** Reads to the end, or until `done` matches and its event is complete. */
  const read = async (done: RegExp | null) => {
    let text = "";
    for (;;) {
      const { value, done: ended } = await reader.read();
      if (ended) return text;
      text += value;
      if (done?.test(text) && text.endsWith("\n\n")) return text;
    }
  };
  return {
    until: (done: RegExp) => read(done),
    rest: () => read(null),
    leave: () => reader.cancel(),
  };
}

/**
 * Reads a campaign's event stream until `done` returns true, then disconnects. It begins with the history, so that no
 * event before the stream is open is missed.
 */
export async function watch(
  client: Client,
  id: string,
  done: (event: SseEvent, all: SseEvent[]) => boolean,
  headers: Record<string, string> = { "last-event-id": "0" },
): Promise<SseEvent[]> {
  const seen: SseEvent[] = [];
  for await (const parsed of parsedBody(await streamBody(client, id, headers))) {
    if ("retry" in parsed) continue;
    const event = { event: parsed.event, id: parsed.id || null, data: JSON.parse(parsed.data) };
    seen.push(event);
    if (done(event, seen)) break;
  }
  return seen;
}

export const isOver = ({ event, data }: SseEvent) =>
  event === "campaign" && ["completed", "stopped"].includes(String(data.status));

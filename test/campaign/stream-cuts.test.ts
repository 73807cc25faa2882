import { beforeAll, describe, expect, it } from "vitest";
import { EventParser } from "../../src/dev/event-stream.ts";
import { type Client, tenant } from "../support/client.ts";
import { contactsCsv, isOver, openStream, ready, upload, watch } from "./support.ts";

/** A client's state after its stream broke: the events it received, and the ID it will send. */
interface Left {
  taken: number[];
  lastId: string;
}

/** Reads an event, and its ID, at the blank line after it (HTML Living Standard, 9.2.6). */
function byTheStandard(text: string): Left {
  const parsed = [...new EventParser().push(text)].flatMap((each) => ("retry" in each ? [] : [each]));
  return { taken: parsed.map(({ data }) => seqOf(data)), lastId: parsed.at(-1)?.id ?? "" };
}

/** Stores an ID as soon as its line is read, with the data received so far. */
function keepingIdsAtOnce(text: string): Left {
  const left: Left = { taken: [], lastId: "" };
  let data: string | null = null;
  for (const line of text.split("\n").slice(0, -1)) {
    if (line.startsWith("data: ")) data = line.slice("data: ".length);
    if (line.startsWith("id: ")) left.lastId = line.slice("id: ".length);
    if ((line.startsWith("id: ") || line === "") && data !== null) {
      left.taken.push(seqOf(data));
      data = null;
    }
  }
  return left;
}

/** Returns the sequence number in an event's data; 0 for a snapshot, which isn't an event of the history. */
function seqOf(data: string): number {
  const { seq, total_contacts } = JSON.parse(data);
  return total_contacts === undefined ? Number(seq) : 0;
}

describe("an event stream whose connection breaks anywhere", () => {
  let client: Client;
  let id: string;
  let ids: number[];

  beforeAll(async () => {
    const who = await tenant();
    client = who.server;
    const { body } = await upload(client, contactsCsv(3), await ready(who));
    id = body.id;
    const watching = watch(client, id, isOver, { "last-event-id": "0" });
    await client.post(`/api/v1/campaigns/${id}/start`);
    ids = (await watching).slice(1).map((event) => Number(event.id));
  });

  /** Returns a stream as text: the snapshot, then the whole history. */
  const history = async () => {
    const stream = await openStream(client, id, { "last-event-id": "0" });
    const text = await stream.until(/"status":"completed","reason":null,"counts"/);
    await stream.leave();
    return text;
  };

  /** What is sent to a reconnecting client. */
  const resumed = new Map<string, Promise<number[]>>();
  const after = (lastId: string) => {
    const history = resumed.get(lastId) ?? watchIds(lastId);
    resumed.set(lastId, history);
    return history;
  };
  // A client without an ID asks for the history from its beginning again.
  const watchIds = async (lastId: string) => {
    if (Number(lastId) === ids.at(-1)) return [];
    const events = await watch(client, id, isOver, { "last-event-id": lastId || "0" });
    return events.slice(1).map((event) => Number(event.id));
  };

  it.each([
    ["keeps an id with its event", byTheStandard],
    ["keeps an id on reading its line", keepingIdsAtOnce],
  ])("an event stream loses no event for a client that %s, and repeats none", async (_, read) => {
    const text = await history();
    for (let cut = 0; cut <= text.length; cut++) {
      const { taken, lastId } = read(text.slice(0, cut));
      const all = [...taken.filter((seq) => seq > 0), ...(await after(lastId))];
      expect(all, `cut at ${cut}, behind ${JSON.stringify(text.slice(Math.max(0, cut - 40), cut))}`).toEqual(ids);
    }
  });
});

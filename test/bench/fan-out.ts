import { get, type IncomingMessage } from "node:http";
import { contactList } from "./contact-list.ts";
import { spread } from "./figures.ts";
import { type Service, startService } from "./service.ts";

const CALLS = { SANDBOX_RING_MS: "200", SANDBOX_TALK_MS: "500" };
const CONTACTS = 60;
const SETTINGS = { max_concurrency: "4" };

/** How long after it happened an event reaches its readers, many of them on one campaign. */
export async function benchFanOut(readers: number): Promise<void> {
  console.log(`fan-out: ${readers} readers of one campaign`);
  const service = await startService(CALLS);
  try {
    const { id } = await service.upload(contactList(CONTACTS), SETTINGS);
    const before = await service.memory.now();
    const watching = await Promise.all(Array.from({ length: readers }, () => Reader.open(service, id)));
    const open = await service.memory.now();
    await service.client.post(`/api/v1/campaigns/${id}/start`);
    await Promise.all(watching.map((reader) => reader.over));
    const events = watching[0]?.seqs.length ?? 0;
    const complete = watching.filter(
      ({ seqs }) => seqs.length === events && seqs.every((seq, i) => seq === (seqs[0] ?? 0) + i),
    );
    console.log(`  ${events} events to each, all of them in order for ${complete.length} readers`);
    console.log(`  from the event to its reader: ${spread(watching.flatMap(({ lags }) => lags))}`);
    console.log(`  ${((open.process - before.process) / readers / 1024).toFixed(1)} KiB of the process for a reader`);
  } finally {
    await service.stop();
  }
}

/** Somebody who watches, by a connection of its own. */
class Reader {
  readonly seqs: number[] = [];
  readonly lags: number[] = [];
  readonly over: Promise<void>;

  private constructor(response: IncomingMessage) {
    let text = "";
    this.over = new Promise((resolve, reject) => {
      response.setEncoding("utf8");
      response.on("data", (chunk: string) => {
        text += chunk;
        const end = text.lastIndexOf("\n\n");
        if (end === -1) return;
        this.#take(text.slice(0, end));
        if (/"status":"completed","reason":null,"counts"/.test(text)) {
          response.destroy();
          resolve();
        }
        text = text.slice(end + 2);
      });
      response.on("error", reject);
    });
  }

  static open({ base, headers }: Service, id: string): Promise<Reader> {
    return new Promise((resolve, reject) => {
      const request = get(`${base}/api/v1/campaigns/${id}/events`, { headers, agent: false }, (response) =>
        response.statusCode === 200
          ? resolve(new Reader(response))
          : reject(new Error(`events: ${response.statusCode}`)),
      );
      request.on("error", reject);
    });
  }

  #take(text: string): void {
    const now = Date.now();
    for (const [, seq, at] of text.matchAll(/^data: \{"seq":(\d+),(?!.*"total_contacts").*"at":"([^"]+)"\}$/gm)) {
      this.seqs.push(Number(seq));
      this.lags.push(now - Date.parse(at ?? ""));
    }
  }
}

import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { contactList } from "./contact-list.ts";
import { millisecondsOf, spread } from "./figures.ts";
import { type Service, startService } from "./service.ts";
import { waits } from "./waits.ts";

const READERS = 3;

/** How long others wait while a campaign of many contacts is stopped, and whether its readers get every event. */
export async function benchStop(contacts: number): Promise<void> {
  console.log(`stop: a campaign of ${contacts} contacts, ${READERS} readers`);
  const service = await startService();
  const { client } = service;
  try {
    const upload = waits(client, "/api/v1/agents");
    const { id } = await service.upload(contactList(contacts), { scheduled_at: "2099-01-01T00:00:00Z" });
    console.log(`  another request while it was uploaded: ${spread(await upload.end())}`);
    const path = `/api/v1/campaigns/${id}`;
    const starting = waits(client, path);
    console.log(`  start answered after ${(await millisecondsOf(() => client.post(`${path}/start`))).toFixed(0)} ms`);
    console.log(`  its GET meanwhile: ${spread(await starting.end())}`);
    const readers = await Promise.all(Array.from({ length: READERS }, () => Follower.open(service, id, contacts)));
    const own = waits(client, path);
    const other = waits(client, "/api/v1/agents");
    const began = performance.now();
    const since = () => `${((performance.now() - began) / 1000).toFixed(1)} s`;
    await client.post(`${path}/stop`);
    console.log(`  stop answered after ${since()}`);
    const told = Promise.all(readers.map(({ over }) => over)).then(() =>
      console.log(`  readers told after ${since()}`),
    );
    while ((await client.get<{ counts: { pending: number } }>(path)).counts.pending > 0) await sleep(50);
    console.log(`  all cancelled after ${since()}`);
    const [owns, others] = [await own.end(), await other.end()];
    console.log(`  its GET meanwhile: ${owns.length} times, ${spread(owns)}`);
    console.log(`  another GET meanwhile: ${others.length} times, ${spread(others)}`);
    await told;
    for (const { cancelled, gaps, drops } of readers)
      console.log(`  a reader: ${cancelled} cancelled, ${gaps} out of order or twice, ${drops} times thrown out`);
    for (const part of ["export", "history"]) {
      const meanwhile = waits(client, path);
      const file = await download(service, `${path}/${part}`);
      console.log(`  its GET while the ${part} is downloaded: ${spread(await meanwhile.end())}`);
      if (part === "history") console.log(`  history: ${await verified(file)}`);
    }
  } finally {
    await service.stop();
  }
}

async function download({ base, headers, stateDir }: Service, path: string): Promise<string> {
  const file = join(stateDir, "download");
  const { body } = await fetch(base + path, { headers });
  await writeFile(file, body ?? "");
  return file;
}

/** The result of the verifier that needs no service. */
async function verified(file: string): Promise<string> {
  const script = join(import.meta.dirname, "../../src/dev/verify-history.ts");
  return (await promisify(execFile)(process.execPath, [script, file])).stdout.trim();
}

/** Somebody who follows the stream as an EventSource does: when it breaks off, it comes back with the last id. */
class Follower {
  cancelled = 0;
  gaps = 0;
  drops = 0;
  readonly over: Promise<void>;
  #last: number | null = null;
  #rest = "";
  readonly #all: number;
  readonly #done = Promise.withResolvers<void>();

  private constructor(all: number) {
    this.#all = all;
    this.over = this.#done.promise;
  }

  static async open(service: Service, id: string, all: number): Promise<Follower> {
    const follower = new Follower(all);
    await follower.#connect(`${service.base}/api/v1/campaigns/${id}/events`, service.headers);
    return follower;
  }

  #connect(url: string, headers: Record<string, string>): Promise<void> {
    this.#rest = "";
    const resume: Record<string, string> = this.#last === null ? {} : { "last-event-id": String(this.#last) };
    return new Promise((resolve, reject) => {
      const request = get(url, { headers: { ...headers, ...resume }, agent: false }, (response) => {
        if (response.statusCode !== 200) return reject(new Error(`events: ${response.statusCode}`));
        resolve();
        this.#follow(response, () => {
          this.drops++;
          this.#connect(url, headers).catch(this.#done.reject);
        });
      });
      request.on("error", reject);
    });
  }

  #follow(response: IncomingMessage, again: () => void): void {
    response.setEncoding("utf8");
    response.on("data", (chunk: string) => {
      this.#rest += chunk;
      const end = this.#rest.lastIndexOf("\n\n") + 2;
      if (end === 1) return;
      this.#take(this.#rest.slice(0, end));
      this.#rest = this.#rest.slice(end);
      if (this.cancelled < this.#all) return;
      this.#done.resolve();
      response.destroy();
    });
    response.on("error", () => {});
    response.on("close", () => {
      if (this.cancelled < this.#all) again();
    });
  }

  #take(text: string): void {
    for (const [, event, id] of text.matchAll(/^event: (\w+)\nid: (\d+)$/gm)) {
      const seq = Number(id);
      if (event !== "snapshot" && seq !== (this.#last ?? seq) + 1) this.gaps++;
      this.#last = seq;
      if (event === "cancelled") this.cancelled++;
    }
  }
}

import { setTimeout as sleep } from "node:timers/promises";
import { contactList } from "./contact-list.ts";
import { megabytes, millisecondsOf, spread } from "./figures.ts";
import { type Service, startService } from "./service.ts";

const PAGES = 200;

/** What is asked of a campaign of many contacts: pages, exports, a plan, a start and a stop. */
export async function benchMillion(contacts: number): Promise<void> {
  console.log(`a campaign of ${contacts} contacts`);
  const service = await startService();
  try {
    const { id } = await service.upload(contactList(contacts));
    const path = `/api/v1/campaigns/${id}`;
    const { client } = service;
    await pages(service, `${path}/contacts`, contacts);
    await download(service, `${path}/export`);
    await timed("plan", () => client.get(`${path}/plan`));
    await timed("start, scheduled for later", async () => {
      await client.send("PATCH", path, { scheduled_at: "2099-01-01T00:00:00Z" });
      await client.post(`${path}/start`);
    });
    await pages(service, `${path}/contacts?status=pending`, contacts);
    await timed("stop", () => client.post(`${path}/stop`));
    await timed("all cancelled", async () => {
      while ((await client.get<Record<"counts", { pending: number }>>(path)).counts.pending > 0) await sleep(50);
    });
    await pages(service, `${path}/contacts?status=cancelled`, contacts);
    await download(service, `${path}/history`);
  } finally {
    await service.stop();
  }
}

/** Reads pages by cursor from the start, then by offset from the end, and times each. */
async function pages({ client }: Service, path: string, contacts: number): Promise<void> {
  const times: number[] = [];
  let after = "";
  for (let i = 0; i < PAGES; i++) {
    const ms = await millisecondsOf(async () => {
      const url = `${path}${path.includes("?") ? "&" : "?"}limit=100${after && `&after=${after}`}`;
      after = (await client.get<{ contacts: { id: string }[] }>(url)).contacts.at(-1)?.id ?? "";
    });
    times.push(ms);
  }
  const last = `${path}${path.includes("?") ? "&" : "?"}limit=100&offset=${contacts - 100}`;
  const atTheEnd = await millisecondsOf(() => client.get(last));
  const name = path.split("/").at(-1);
  console.log(`  ${name}, 100 by cursor: ${spread(times)}; by offset ${contacts - 100}: ${atTheEnd.toFixed(1)} ms`);
}

async function download({ base, headers, memory }: Service, path: string): Promise<void> {
  const before = await memory.now();
  let bytes = 0;
  const { result: ms, peak } = await memory.during(() =>
    millisecondsOf(async () => {
      const answer = await fetch(`${base}${path}`, { headers });
      for await (const chunk of answer.body ?? []) bytes += chunk.length;
    }),
  );
  const name = path.split("/").at(-1);
  console.log(
    `  ${name}: ${megabytes(bytes)} MB in ${ms.toFixed(0)} ms, at most ${megabytes(peak.heap - before.heap)} MB more heap`,
  );
}

async function timed(name: string, work: () => Promise<unknown>): Promise<void> {
  console.log(`  ${name}: ${(await millisecondsOf(work)).toFixed(0)} ms`);
}

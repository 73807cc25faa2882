import { setTimeout as sleep } from "node:timers/promises";
import { contactList } from "./contact-list.ts";
import { millisecondsOf, perSecond, spread } from "./figures.ts";
import { type Service, startService } from "./service.ts";

const FAST = { SANDBOX_RING_MS: "1", SANDBOX_TALK_MS: "1" };
/** Calls that last long enough for the campaign to wait for every slot. */
const STEADY = { SANDBOX_RING_MS: "100", SANDBOX_TALK_MS: "900" };
const SLOTS = 20;

/** Number of reads of a page or a search of a long list. */
const READS = 100;

/** Measures how fast a long list is read, paged and searched, and how fast a short one is dialed. */
export async function benchCampaign(listed: number, dialled: number): Promise<void> {
  await benchList(listed);
  await benchDialling(dialled);
}

/**
 * Measures how fast a list is read in, paged, and searched for the beginning of a number and for a name that occurs
 * once.
 */
async function benchList(contacts: number): Promise<void> {
  console.log(`campaign: a list of ${contacts.toLocaleString("en")} contacts`);
  const service = await startService();
  try {
    const file = contactList(contacts);
    const began = performance.now();
    const { id } = await service.upload(file);
    console.log(`  ${perSecond(contacts, performance.now() - began)} contacts read in a second`);
    const path = `/api/v1/campaigns/${id}/contacts?limit=100`;
    const read = (query: string) => service.client.get<Page>(path + query);
    const timed = async (what: string, once: () => Promise<unknown>, reads = READS) => {
      const times: number[] = [];
      for (let i = 0; i < reads; i++) times.push(await millisecondsOf(once));
      console.log(`  ${what}: ${spread(times)}`);
    };
    let page: Page = { contacts: [], next: null };
    await timed("a page of 100 after another", async () => {
      page = await read(page.next === null ? "" : `&after=${page.next}`);
    });
    const last = await read(`&offset=${contacts - 1}`);
    const number = last.contacts[0]?.phone_number ?? "";
    await timed("the last contact, found by its number", () => read(`&search=${encodeURIComponent(number)}`));
    await timed(
      "nothing found in the names, to the end of the list",
      async () => {
        for (let next: string | null = ""; next !== null; ) {
          const found: Page = await read(`&search=nobody${next && `&after=${next}`}`);
          next = found.next;
        }
      },
      3,
    );
  } finally {
    await service.stop();
  }
}

interface Page {
  contacts: { phone_number: string }[];
  next: string | null;
}

/** Measures how fast contacts are dialed without limits, and how soon a free slot is used. */
async function benchDialling(contacts: number): Promise<void> {
  console.log(`campaign: ${contacts} contacts dialed with the sandbox, no caps`);
  const all = await history(FAST, contacts, {});
  const placed = all.filter(({ event }) => event === "originated").map(({ at }) => at);
  const span = (times: number[]) => (times.at(-1) ?? 0) - (times[0] ?? 0);
  console.log(`  ${perSecond(placed.length, span(placed))} calls placed a second`);
  console.log(`  ${perSecond(contacts, span(all.map(({ at }) => at)))} contacts a second from the start to completion`);

  const steady = await history(STEADY, contacts / 4, { max_concurrency: String(SLOTS) });
  console.log(`  ${SLOTS} slots, from a free slot to the next call placed: ${spread(refills(steady))}`);
}

interface Entry {
  event: string;
  at: number;
}

/** Runs a campaign to its end; returns its history. */
async function history(
  vars: Record<string, string>,
  contacts: number,
  settings: Record<string, string>,
): Promise<Entry[]> {
  const service = await startService(vars);
  try {
    const { id } = await service.upload(contactList(contacts), settings);
    await run(service, id);
    const answer = await fetch(`${service.base}/api/v1/campaigns/${id}/history`, { headers: service.headers });
    const lines = (await answer.text()).trimEnd().split("\n");
    const entries = lines.map((line) => (JSON.parse(line) as { entry: [number, number, string] }).entry);
    const start = entries.findLastIndex(([, , event], i) => event === "campaign" && i < 3);
    return entries.slice(start).map(([, at, event]) => ({ at, event }));
  } finally {
    await service.stop();
  }
}

async function run({ client }: Service, id: string): Promise<void> {
  const path = `/api/v1/campaigns/${id}`;
  await client.post(`${path}/start`);
  while ((await client.get<{ status: string }>(path)).status !== "completed") await sleep(100);
}

/**
 * Returns how long each freed slot stayed empty. Once all slots are taken, the n-th end of a call makes room for the
 * n-th further call.
 */
function refills(entries: Entry[]): number[] {
  const placed = entries.filter(({ event }) => event === "originated");
  const ended = entries.filter(({ event }) => event === "completed" || event === "failed");
  return placed.slice(SLOTS).map(({ at }, n) => at - (ended[n]?.at ?? at));
}

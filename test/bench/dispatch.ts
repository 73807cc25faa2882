import { setTimeout as sleep } from "node:timers/promises";
import { contactList } from "./contact-list.ts";
import { perSecond, spread } from "./figures.ts";
import { type Service, startService } from "./service.ts";

const FAST = { SANDBOX_RING_MS: "1", SANDBOX_TALK_MS: "1" };
/** Calls that last long enough for the campaign to wait for every slot. */
const STEADY = { SANDBOX_RING_MS: "100", SANDBOX_TALK_MS: "900" };
const SLOTS = 20;

/** How fast contacts are dialled where nothing limits it, and how soon a slot that comes free is used. */
export async function benchDispatch(contacts: number): Promise<void> {
  console.log(`dispatch: ${contacts} contacts with the sandbox, no caps`);
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

/** Runs a campaign to its end; gives what its history says. */
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

/** Once all slots are taken, the n-th end of a call makes room for the n-th further call. */
function refills(entries: Entry[]): number[] {
  const placed = entries.filter(({ event }) => event === "originated");
  const ended = entries.filter(({ event }) => event === "completed" || event === "failed");
  return placed.slice(SLOTS).map(({ at }, n) => at - (ended[n]?.at ?? at));
}

import { setTimeout as sleep } from "node:timers/promises";
import { ApiClient } from "../../src/dev/client.ts";
import { failEverybody } from "../../src/dev/object-files.ts";
import { addressOf, startRuntime } from "../../src/dev/runtime.ts";
import { contactList } from "./contact-list.ts";
import { median, millisecondsOf, spread } from "./figures.ts";
import { type Service, startService } from "./service.ts";
import { waits } from "./waits.ts";

const TIMES = 60;

interface Page {
  contacts: { id: string; phone_number: string }[];
  total: number | null;
  next: string | null;
}
interface Counts {
  counts: Record<string, number>;
}

/** What it takes to mend a campaign of many contacts, beside its upload and a read of one contact in the same run. */
export async function benchRepair(contacts: number): Promise<void> {
  console.log(`repair: a campaign of ${contacts} contacts`);
  const service = await startService();
  try {
    let id = "";
    const upload = await millisecondsOf(async () => {
      id = (await service.upload(contactList(contacts), { scheduled_at: "2099-01-01T00:00:00Z" })).id;
    });
    console.log(`  upload: ${seconds(upload)}`);
    const path = `/api/v1/campaigns/${id}`;
    await lookUps(service.client, path, contacts);
    await changes(service.client, path);
    await clone(service, path, upload);
    // Nobody waits for a million calls: the contacts are made to have failed while the service is not there.
    await service.client.post(`${path}/start`);
    await service.client.post(`${path}/pause`);
    await service.halt();
    failEverybody(service.stateDir, id, ["busy", "no_answer"]);
    const { stateDir, script, variables } = service;
    const runtime = await startRuntime({ script, stateDir, variables, listen: { host: "127.0.0.1", port: 0 } });
    const client = new ApiClient((await addressOf(runtime)).origin, fetch, service.headers);
    try {
      await byOutcome(client, path);
      await redial(client, path, upload);
    } finally {
      await runtime.dispose();
    }
  } finally {
    await service.stop();
  }
}

async function lookUps(client: ApiClient, path: string, contacts: number): Promise<void> {
  const page = await client.get<Page>(`${path}/contacts?limit=${TIMES}&offset=${Math.floor(contacts / 2)}`);
  const one = await each(page, ({ id }) => client.get(`${path}/contacts/${id}`));
  console.log(`  GET one contact: ${spread(one)}`);
  const number = await each(page, ({ phone_number }) =>
    client.get(`${path}/contacts?phone_number=${encodeURIComponent(phone_number)}`),
  );
  tell("search by number", number, one);
  const prefix = await each(page, ({ phone_number }) =>
    client.get(`${path}/contacts?search=${encodeURIComponent(phone_number.slice(0, -3))}`),
  );
  tell("search by the beginning of a number, all but three digits", prefix, one);
  for (const text of ["lovelace 770", "nobody at all", "ünbekannt"]) {
    const times: number[] = [];
    let found = 0;
    for (let next: string | null = ""; next !== null; ) {
      const url: string = `${path}/contacts?search=${encodeURIComponent(text)}&limit=1000${next && `&after=${next}`}`;
      times.push(
        await millisecondsOf(async () => {
          const answer: Page = await client.get<Page>(url);
          found += answer.contacts.length;
          next = answer.next;
        }),
      );
    }
    tell(`search for ${JSON.stringify(text)}: ${found} found by ${times.length} requests, each`, times, one);
  }
}

async function changes(client: ApiClient, path: string): Promise<void> {
  const page = await client.get<Page>(`${path}/contacts?limit=${2 * TIMES}&offset=1000`);
  const [first, second] = [page.contacts.slice(0, TIMES), page.contacts.slice(TIMES)];
  const patch = (id: string, body: object) => client.send("PATCH", `${path}/contacts/${id}`, body);
  const settings = await each({ contacts: first }, ({ id }) => client.send("PATCH", path, { name: id }));
  console.log(`  PATCH of the campaign itself: ${spread(settings)}`);
  tell(
    "correct a variable",
    await each({ contacts: first }, ({ id }) => patch(id, { variables: { name: "Corrected" } })),
    settings,
  );
  let n = 0;
  tell(
    "correct a number",
    await each({ contacts: first }, ({ id }) => patch(id, { phone_number: `+4930${1_000_000 + n++}` })),
    settings,
  );
  const cancelled = await each({ contacts: second }, ({ id }) => client.post(`${path}/contacts/${id}/cancel`));
  tell("cancel", cancelled, settings);
}

async function clone({ client }: Service, path: string, upload: number): Promise<void> {
  const others = waits(client, path);
  let id = "";
  const all = await millisecondsOf(async () => {
    id = (await client.post<{ id: string }>(`${path}/clone`, { contacts: "all" })).id;
  });
  const [times, { counts }] = [await others.end(), await client.get<Counts>(`/api/v1/campaigns/${id}`)];
  console.log(
    `  clone all ${counts.pending}: ${seconds(all)} = ${(all / upload).toFixed(2)} of the upload; GET of the original meanwhile: ${spread(times)}`,
  );
  const none = await millisecondsOf(() => client.post(`${path}/clone`, { contacts: "none" }));
  console.log(`  clone none: ${none.toFixed(0)} ms`);
}

async function byOutcome(client: ApiClient, path: string): Promise<void> {
  // The first request opens the object again.
  const page = await client.get<Page>(`${path}/contacts?limit=${TIMES}`);
  const one = await each(page, ({ id }) => client.get(`${path}/contacts/${id}`));
  const of = (query: string) => each(page, ({ id }) => client.get(`${path}/contacts?${query}&limit=100&after=${id}`));
  tell("100 by status", await of("status=failed"), one);
  tell("100 by outcome", await of("outcome=busy"), one);
  tell("100 by outcome and status", await of("outcome=busy&status=failed"), one);
}

async function redial(client: ApiClient, path: string, upload: number): Promise<void> {
  const others = waits(client, path);
  let contacts = 0;
  let answered = 0;
  const all = await millisecondsOf(async () => {
    answered = await millisecondsOf(async () => {
      contacts = (await client.post<{ contacts: number }>(`${path}/redial`, { outcomes: ["busy", "no_answer"] }))
        .contacts;
    });
    while (((await client.get<Counts>(path)).counts.pending ?? 0) < contacts) await sleep(50);
  });
  const times = await others.end();
  console.log(
    `  redial all ${contacts}: answered after ${seconds(answered)}, done after ${seconds(all)} = ${(all / upload).toFixed(2)} of the upload; its GET meanwhile: ${times.length} times, ${spread(times)}`,
  );
  const stop = await millisecondsOf(async () => {
    await client.post(`${path}/stop`);
    while (((await client.get<Counts>(path)).counts.pending ?? 0) > 0) await sleep(50);
  });
  console.log(`  stop, until all are cancelled: ${seconds(stop)}; a redial takes ${(all / stop).toFixed(2)} of that`);
}

async function each(
  page: Pick<Page, "contacts">,
  ask: (contact: Page["contacts"][number]) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = [];
  for (const contact of page.contacts) times.push(await millisecondsOf(() => ask(contact)));
  return times;
}

function tell(name: string, times: number[], yardstick: number[]): void {
  console.log(`  ${name}: ${spread(times)} = ${(median(times) / median(yardstick)).toFixed(2)}`);
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;

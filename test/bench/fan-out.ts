import { contactList } from "./contact-list.ts";
import { spread } from "./figures.ts";
import { startService } from "./service.ts";
import { type Feed, StreamReader } from "./stream-reader.ts";

const CALLS = { SANDBOX_RING_MS: "200", SANDBOX_TALK_MS: "500" };
const CONTACTS = 60;
const SETTINGS = { max_concurrency: "4" };
/** Events that happen to the account one after another. */
const OPT_OUTS = 40;

const OF_CAMPAIGN: Feed = {
  event: /^data: \{"seq":(?<seq>\d+),(?!.*"total_contacts").*"at":"(?<at>[^"]+)"\}$/gm,
  last: /"status":"completed","reason":null,"counts"/,
};
const OF_ACCOUNT: Feed = {
  event: /^data: \{.*"at":"(?<at>[^"]+)","sequence":(?<seq>\d+),/gm,
  last: new RegExp(`"sequence":${OPT_OUTS},`),
};

/** How long after it happened an event reaches its readers, many of them on one campaign. */
export async function benchFanOut(readers: number): Promise<void> {
  console.log(`fan-out: ${readers} readers of one campaign`);
  const service = await startService(CALLS);
  try {
    const { id } = await service.upload(contactList(CONTACTS), SETTINGS);
    const before = await service.memory.now();
    const path = `/api/v1/campaigns/${id}/events`;
    const watching = await openReaders(readers, () => StreamReader.open(service, path, OF_CAMPAIGN));
    const open = await service.memory.now();
    await service.client.post(`/api/v1/campaigns/${id}/start`);
    await Promise.all(watching.map((reader) => reader.over));
    report(watching, open.process - before.process);
  } finally {
    await service.stop();
  }
}

/** The same, on all that happens in an account. */
export async function benchEvents(readers: number): Promise<void> {
  console.log(`events: ${readers} readers of one account's stream`);
  const service = await startService();
  try {
    const before = await service.memory.now();
    const path = "/api/v1/events/stream";
    const watching = await openReaders(readers, () => StreamReader.open(service, path, OF_ACCOUNT));
    const open = await service.memory.now();
    for (let n = 0; n < OPT_OUTS; n++)
      await service.client.post("/api/v1/do-not-call", { numbers: [`+1303555${String(n).padStart(4, "0")}`] });
    await Promise.all(watching.map((reader) => reader.over));
    report(watching, open.process - before.process);
  } finally {
    await service.stop();
  }
}

function openReaders(readers: number, open: () => Promise<StreamReader>): Promise<StreamReader[]> {
  return Promise.all(Array.from({ length: readers }, open));
}

/** @param bytes what they cost the process */
function report(watching: StreamReader[], bytes: number): void {
  const events = watching[0]?.seqs.length ?? 0;
  const complete = watching.filter(
    ({ seqs }) => seqs.length === events && seqs.every((seq, i) => seq === (seqs[0] ?? 0) + i),
  );
  console.log(`  ${events} events to each, all of them in order for ${complete.length} readers`);
  console.log(`  from the event to its reader: ${spread(watching.flatMap(({ lags }) => lags))}`);
  console.log(`  ${(bytes / watching.length / 1024).toFixed(1)} KiB of the process for a reader`);
}

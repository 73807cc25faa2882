import { startBareImport } from "./bare-import.ts";
import { contactList } from "./contact-list.ts";
import { median, megabytes, millisecondsOf, perSecond } from "./figures.ts";
import { startService } from "./service.ts";

const RUNS = 5;

/** The import of a contact list beside the bare parser and bare inserts, in turn in one run. */
export async function benchImport(rows: number): Promise<void> {
  const file = contactList(rows);
  console.log(`import: ${rows} contacts, ${megabytes(file.size)} MB`);
  const service = await startService();
  const bare = await startBareImport();
  const ratios: number[] = [];
  try {
    for (let i = 0; i < RUNS; i++) {
      const yardstick = await millisecondsOf(() => bare.run(file));
      const before = await service.memory.now();
      const { result: took, peak } = await service.memory.during(() => millisecondsOf(() => service.upload(file)));
      ratios.push(yardstick / took);
      console.log(
        `  bare ${perSecond(rows, yardstick)} rows/s, import ${perSecond(rows, took)} rows/s = ${(yardstick / took).toFixed(2)}; ` +
          `at most ${megabytes(peak.heap - before.heap)} MB more heap, ${megabytes(peak.process - before.process)} MB more in the process`,
      );
    }
    console.log(`  median ratio ${median(ratios).toFixed(2)}`);
  } finally {
    await Promise.all([service.stop(), bare.stop()]);
  }
}

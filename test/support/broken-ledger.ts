import { runInDurableObject } from "cloudflare:test";
import { firstVolume } from "./ledger.ts";

let broken: string[] = [];

/** Makes the account's ledger fail to write audit entries of acts until `repairLedgers`. */
export async function breakActs(account: string): Promise<void> {
  const volume = await firstVolume(account);
  // An empty volume has no tables yet.
  await volume.report([]);
  await runInDurableObject(volume, (_, { storage }) => {
    storage.sql.exec("CREATE TRIGGER away BEFORE INSERT ON acts BEGIN SELECT RAISE(ABORT, 'the ledger is away'); END");
  });
  broken.push(account);
}

export async function repairLedgers(): Promise<void> {
  for (const account of broken)
    await runInDurableObject(await firstVolume(account), (_, { storage }) => {
      storage.sql.exec("DROP TRIGGER away");
    });
  broken = [];
}

import { describe, expect, it } from "vitest";
import { DELETED_TABLES } from "../../../src/account-data/stores.ts";
import { tenant } from "../../support/client.ts";
import { planted } from "../erasures/planted.ts";
import { newNumber } from "../erasures/support.ts";
import { fullAccount } from "./full.ts";
import { completed, everythingOf, idsOf, leftOf, scheduled } from "./support.ts";

describe("a deleted account", () => {
  it("leaves nothing in D1, in any object and in R2", async () => {
    const { account } = await fullAccount();
    const known = await idsOf(account);
    const before = await everythingOf(account);
    for (const table of DELETED_TABLES)
      expect([table, before.some((line) => line.startsWith(`${table}: `))]).toEqual([table, true]);
    for (const [binding] of known)
      if (binding !== "ACCOUNT_DELETION")
        expect([binding, before.some((line) => line.startsWith(`${binding} `))]).toEqual([binding, true]);
    await scheduled(account);
    const { deleted } = await completed(account);
    expect(await leftOf(account, known)).toEqual([]);
    expect(deleted.objects).toBeGreaterThan(10);
    expect(deleted.files).toBeGreaterThanOrEqual(3);
    expect(deleted.rows).toBeGreaterThan(DELETED_TABLES.length);
  });

  it("leaves another account as it was", async () => {
    const [who, other] = [await tenant(), await tenant()];
    for (const one of [who, other]) await planted(one, newNumber());
    const before = lastingOf(await everythingOf(other.account));
    await scheduled(who.account);
    await completed(who.account);
    const after = lastingOf(await everythingOf(other.account));
    expect(before.length).toBeGreaterThan(50);
    expect(after).toEqual(expect.arrayContaining(before));
  });
});

/**
 * Returns the lines without those that the account's objects write for themselves from time to time, because they may
 * write more of them.
 */
function lastingOf(lines: string[]): string[] {
  return lines
    .filter((line) => !line.startsWith("object_gauges: ") && !/\["(gauges told|configuration_writes_until)"/.test(line))
    .map((line) => line.replace(/"reported_seq":\d+/, '"reported_seq":0'));
}

import { asc, gt, inArray, sql } from "drizzle-orm";
import type { AccountStore, Read } from "../../kernel/db/account-store.ts";
import { doNotCall } from "../../kernel/db/schema/index.ts";

/** Entries of the list read at a time. */
const PAGE_ROWS = 50_000;

/** The read of which of these numbers are on the list, to go with others in one round trip. */
export function blockedRead(store: AccountStore, numbers: string[]): Read<{ phone_number: string }[]> {
  const asked = sql`(SELECT value FROM json_each(${JSON.stringify(numbers)}))`;
  return store.select(doNotCall, { where: inArray(doNotCall.phone_number, asked), columns: ["phone_number"] });
}

/** The whole list, a page at a time. */
export async function* blockedPages(store: AccountStore): AsyncGenerator<string[]> {
  let last = "";
  for (;;) {
    const where = gt(doNotCall.phone_number, last);
    const [rows] = await store.read(
      store.select(doNotCall, {
        where,
        columns: ["phone_number"],
        orderBy: [asc(doNotCall.phone_number)],
        limit: PAGE_ROWS,
      }),
    );
    yield rows.map(({ phone_number }) => phone_number);
    if (rows.length < PAGE_ROWS) return;
    last = rows.at(-1)?.phone_number ?? "";
  }
}

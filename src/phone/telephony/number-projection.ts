import { eq, type SQL, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { type LastCheck, phoneNumbers } from "../../kernel/db/schema/index.ts";
import type { InServiceOf, InServiceRead } from "../../kernel/http/in-service.ts";
import type { Provider } from "../carriers/carrier.ts";
import { CHECKS } from "./contract.ts";

/** Returns a number as the API shows it. */
export function projectNumber<T extends NumberRow>(row: T, inServiceOf: InServiceOf) {
  return Object.assign({}, row, {
    provider: row.provider as Provider,
    in_service: row.agent_id === null ? null : inServiceOf(row.agent_id, { number: row.id }),
    last_check: row.last_check && projectLastCheck(row.last_check),
  });
}

type NumberRow = Pick<typeof phoneNumbers.$inferSelect, "id" | "provider" | "agent_id" | "last_check">;

/** Returns the number with this id as the API shows it; null if the account has none. */
export async function findNumber(store: AccountStore, inService: InServiceRead, id: string) {
  const isIt = eq(phoneNumbers.id, id);
  const [row, inServiceOf] = await store.read(
    store.first(phoneNumbers, { where: isIt }),
    inService(agentsOf(store, isIt)),
  );
  return row ? projectNumber(row, inServiceOf) : null;
}

/** Returns the query for the agents of these numbers; for undefined, of all numbers. */
export function agentsOf(store: AccountStore, where: SQL | undefined): SQL | undefined {
  return where && sql`SELECT agent_id FROM phone_numbers WHERE account = ${store.account} AND ${where}`;
}

function projectLastCheck({ at, ok, failed }: LastCheck) {
  return { at, ok, failed: CHECKS.filter((name) => failed.includes(name)) };
}

import { runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { hasTable } from "../../../src/kernel/durable/migrate.ts";
import { IDEMPOTENCY_STORES } from "../../../src/kernel/durable/objects.ts";
import { type Answer, type Client, call } from "../../support/client.ts";

/** Sends a POST with an idempotency key. */
export function postWithKey<T = Record<string, unknown>>(
  client: Client,
  path: string,
  key: string,
  body?: unknown,
): Promise<Answer<T>> {
  const headers = { ...client.headers, "idempotency-key": key };
  return call<T>("POST", path, body === undefined ? { headers } : { headers, body });
}

export const isReplay = ({ headers }: Answer) => headers.get("idempotent-replayed") === "true";

/** Returns the account's idempotency stores that are not empty, each with its rows. */
export async function storesOf(account: string) {
  const objects = Array.from({ length: IDEMPOTENCY_STORES }, (_, n) =>
    env.IDEMPOTENCY_STORE.getByName(`${account}/${n}`),
  );
  const stores = await Promise.all(
    objects.map(async (object) => ({
      object,
      rows: await runInDurableObject(object, (_, { storage }) =>
        hasTable(storage, "reservations") ? storage.sql.exec("SELECT * FROM reservations").toArray() : [],
      ),
    })),
  );
  return stores.filter(({ rows }) => rows.length > 0);
}

import { OpenAPIHono } from "@hono/zod-openapi";
import { sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { prices as priceTable } from "../../kernel/db/schema/index.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { serve } from "../../kernel/http/serve.ts";
import * as contract from "./contract.ts";
import { type OwnPrice, PricesAt } from "./price-list.ts";

export const prices = new OpenAPIHono<AppEnv>();

serve(prices, contract.getPrices, async ({ store, now }) => {
  const [own] = await store.read(store.select(priceTable));
  return list(own, now);
});

serve(prices, contract.updatePrices, async ({ store, body, now }) => {
  const since = new Date(now).toISOString();
  // Prices that are sent back unchanged do not become the account's own.
  const [before] = await store.read(store.select(priceTable));
  const inForce = new Map(new PricesAt(before, since).all.map(({ what, unit_micros }) => [what, unit_micros]));
  const asked = body.prices.filter(({ what, unit_micros }) => inForce.get(what) !== unit_micros);
  if (asked.length === 0) return list(before, now);
  const changes = Object.fromEntries(asked.map(({ what }) => [what, null]));
  const [, own] = await store.write(
    { action: "update", resource: "prices", resource_id: store.account, changes },
    setFrom(store, asked, since),
    store.select(priceTable),
  );
  return list(own, now);
});

/** Sets prices from a time on. An unchanged price is not written. */
function setFrom(store: AccountStore, sent: Pick<OwnPrice, "what" | "unit_micros">[], since: string) {
  return store.upsertMany(priceTable, sent, {
    target: [priceTable.account, priceTable.what, priceTable.since],
    columns: ["unit_micros"],
    common: { since },
    only: (value) =>
      sql`(SELECT own.unit_micros FROM ${priceTable} AS own WHERE own.account = ${store.account}
        AND own.what = ${value("what")} ORDER BY own.since DESC LIMIT 1) IS NOT ${value("unit_micros")}`,
  });
}

function list(own: OwnPrice[], now: number) {
  return { prices: new PricesAt(own, new Date(now).toISOString()).all };
}

import { OpenAPIHono } from "@hono/zod-openapi";
import { asc } from "drizzle-orm";
import { faqs as faqTable } from "../../kernel/db/schema/index.ts";
import { rowsOf, selectIfSmall } from "../../kernel/db/wide-rows.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { serve } from "../../kernel/http/serve.ts";
import { hasRoomEverywhere, noRoom } from "../attached-texts.ts";
import { deleteItem, findItem, itemOf, refuseTakenName, seenBy, updateItem } from "../items.ts";
import * as contract from "./contract.ts";

export const faqs = new OpenAPIHono<AppEnv>();

serve(faqs, contract.listFaqs, async ({ store, principal }) => {
  const page = {
    table: faqTable,
    where: seenBy(principal, store, faqTable),
    orderBy: [asc(faqTable.name)],
    texts: [faqTable.summary, faqTable.content],
  };
  const [rows, total] = await store.read(selectIfSmall(store, page), store.count(faqTable, page.where));
  return { faqs: await rowsOf(store, page, { rows, total }), total };
});

serve(
  faqs,
  contract.createFaq,
  async ({ store, body, now, newId }) => {
    const id = newId();
    const at = new Date(now).toISOString();
    const row = { ...body, id, is_default: false, modified_from_default: false, created_at: at, updated_at: at };
    const entry = { action: "create", resource: "faq", resource_id: id } as const;
    await refuseTakenName(store.write(entry, store.insert(faqTable, row)), "FAQ");
    return row;
  },
  ({ store }, id) => itemOf(store, faqTable, id),
);

serve(faqs, contract.getFaq, ({ store, principal, params }) =>
  findItem(store, faqTable, params.id, "FAQ", seenBy(principal, store, faqTable)),
);

serve(faqs, contract.updateFaq, async ({ store, params, body, now, ifMatch }) => {
  const { id } = await findItem(store, faqTable, params.id, "FAQ");
  const where = hasRoomEverywhere(store, "faq", body);
  const change = { what: "FAQ", sent: body, now, ifMatch, where, unless: () => noRoom("content", "an") };
  return refuseTakenName(updateItem(store, faqTable, id, change), "FAQ");
});

serve(faqs, contract.deleteFaq, ({ store, params }) => deleteItem(store, faqTable, params.id, "FAQ"));

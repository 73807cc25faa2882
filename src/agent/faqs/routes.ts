import { OpenAPIHono } from "@hono/zod-openapi";
import { asc } from "drizzle-orm";
import { faqs as faqTable } from "../../kernel/db/schema/index.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { serve } from "../../kernel/http/serve.ts";
import { deleteItem, findItem, itemOf, refuseTakenName, seenBy, updateItem } from "../items.ts";
import * as contract from "./contract.ts";

export const faqs = new OpenAPIHono<AppEnv>();

serve(faqs, contract.listFaqs, async ({ store, principal }) => {
  const where = seenBy(principal, store, faqTable);
  const [rows] = await store.read(store.select(faqTable, { where, orderBy: [asc(faqTable.name)] }));
  return { faqs: rows, total: rows.length };
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
  const change = { what: "FAQ", sent: body, now, ifMatch };
  return refuseTakenName(updateItem(store, faqTable, id, change), "FAQ");
});

serve(faqs, contract.deleteFaq, ({ store, params }) => deleteItem(store, faqTable, params.id, "FAQ"));

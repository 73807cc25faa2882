import { OpenAPIHono } from "@hono/zod-openapi";
import { and, asc, eq } from "drizzle-orm";
import { playbooks as playbookTable } from "../../kernel/db/schema/index.ts";
import { beginsWith } from "../../kernel/db/search.ts";
import { eachShown, rowsOf, selectIfSmall } from "../../kernel/db/wide-rows.ts";
import type { AppEnv } from "../../kernel/http/context.ts";
import { changedMeanwhile } from "../../kernel/http/if-match.ts";
import { serve } from "../../kernel/http/serve.ts";
import { hasRoomEverywhere, noRoom } from "../attached-texts.ts";
import {
  deleteItem,
  displayName,
  findItem,
  itemOf,
  refuseTakenName,
  seenBy,
  tryUpdateItem,
  updateItem,
} from "../items.ts";
import * as contract from "./contract.ts";
import { playbookMarkdown } from "./markdown.ts";

export const playbooks = new OpenAPIHono<AppEnv>();

serve(playbooks, contract.listPlaybooks, async ({ store, principal, query }) => {
  const { category, search, limit, offset } = query;
  const where = and(
    category === undefined ? undefined : eq(playbookTable.category, category),
    beginsWith(playbookTable.name, search),
    seenBy(principal, store, playbookTable),
  );
  const texts = [playbookTable.description, playbookTable.content];
  const page = { table: playbookTable, where, orderBy: [asc(playbookTable.name)], limit, offset, texts };
  const [rows, total] = await store.read(selectIfSmall(store, page), store.count(playbookTable, where));
  const playbooks = eachShown(await rowsOf(store, page, { rows, total }), projectPlaybook);
  return { playbooks, total, limit, offset };
});

serve(
  playbooks,
  contract.createPlaybook,
  async ({ store, body, now, newId }) => {
    const id = newId();
    const at = new Date(now).toISOString();
    const row = {
      ...body,
      id,
      display_name: body.display_name ?? displayName(body.name),
      content: body.content ?? null,
      is_default: false,
      modified_from_default: false,
      created_at: at,
      updated_at: at,
    };
    const entry = { action: "create", resource: "playbook", resource_id: id } as const;
    await refuseTakenName(store.write(entry, store.insert(playbookTable, row)), "playbook");
    return projectPlaybook(row);
  },
  async ({ store }, id) => {
    const row = await itemOf(store, playbookTable, id);
    return row && projectPlaybook(row);
  },
);

serve(playbooks, contract.getPlaybook, async ({ store, principal, params }) =>
  projectPlaybook(await findItem(store, playbookTable, params.id, "playbook", seenBy(principal, store, playbookTable))),
);

serve(playbooks, contract.updatePlaybook, async ({ store, params, body, now, ifMatch }) => {
  for (;;) {
    const before = await findItem(store, playbookTable, params.id, "playbook");
    // If generated markdown is sent back unchanged, it stays generated.
    const isRendered = before.content === null && body.content === playbookMarkdown(before);
    const { content, ...others } = body;
    const sent = isRendered || content === undefined ? others : body;
    const where = hasRoomEverywhere(store, "playbook", sent);
    const change = { what: "playbook", sent, now, ifMatch, where, unless: () => noRoom("content", "an") };
    if (!isRendered) return projectPlaybook(await updateItem(store, playbookTable, before.id, change));
    if (ifMatch !== null && ifMatch !== before.revision) throw await changedMeanwhile(store, "playbook", before);
    const row = await tryUpdateItem(
      store,
      playbookTable,
      before.id,
      Object.assign(change, { ifMatch: before.revision }),
    );
    if (row) return projectPlaybook(row);
    const current = await findItem(store, playbookTable, params.id, "playbook");
    if (current.revision === before.revision) throw change.unless();
  }
});

serve(playbooks, contract.deletePlaybook, ({ store, params }) =>
  deleteItem(store, playbookTable, params.id, "playbook"),
);

function projectPlaybook<T extends Parameters<typeof playbookMarkdown>[0]>(row: T) {
  return { ...row, content: playbookMarkdown(row) };
}

import { eq, isNull, sql } from "drizzle-orm";
import type { SQLiteColumn } from "drizzle-orm/sqlite-core";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import type { Changes, NewRow } from "../../kernel/db/account-table.ts";
import { all } from "../../kernel/db/conditions.ts";
import { agentFaqs, agentPlaybooks, agents, faqs, playbooks } from "../../kernel/db/schema/index.ts";
import type { Principal } from "../../kernel/http/context.ts";
import { notFound } from "../../kernel/http/errors.ts";
import { hasRoom, noRoom } from "../attached-texts.ts";
import { byIdOrName, seenBy } from "../items.ts";
import { type AgentReader, tryChange } from "./joined.ts";

type Links = typeof agentFaqs | typeof agentPlaybooks;

/** A kind of items that agents use with their text. */
interface Kind<T extends Links> {
  kind: "faq" | "playbook";
  name: string;
  items: typeof faqs | typeof playbooks;
  links: T;
  /** The column of `links` with the item's id. */
  item: SQLiteColumn;
  linkTo(item: string, link: { agent_id: string; created_at: string }): NewRow<T>;
}

export const FAQ: Kind<typeof agentFaqs> = {
  kind: "faq",
  name: "FAQ",
  items: faqs,
  links: agentFaqs,
  item: agentFaqs.faq_id,
  linkTo: (faq_id, link) => ({ ...link, faq_id }),
};

export const PLAYBOOK: Kind<typeof agentPlaybooks> = {
  kind: "playbook",
  name: "playbook",
  items: playbooks,
  links: agentPlaybooks,
  item: agentPlaybooks.playbook_id,
  linkTo: (playbook_id, link) => ({ ...link, playbook_id }),
};

/**
 * Attaches an item to an agent that has room for it, and returns the agent. If the item was attached with an older
 * text, the agent uses the current text from now on. @throws ApiError 400, 404
 */
export async function attachItem<T extends Links>(
  { caller, now, ...reader }: AgentReader & { caller: Principal; now: number },
  { kind, name, items, links, item, linkTo }: Kind<T>,
  id: string,
  idOrName: string,
) {
  const { store } = reader;
  const isIt = all(byIdOrName(items, idOrName), seenBy(caller, store, items));
  const [agent, found] = await store.read(
    store.first(agents, { where: eq(agents.id, id), columns: ["id"] }),
    store.first(items, { where: isIt, columns: ["id"] }),
  );
  if (!agent) throw notFound("agent");
  if (!found) throw notFound(name);
  const change = store.upsert(links, linkTo(found.id, { agent_id: id, created_at: new Date(now).toISOString() }), {
    target: [links.account, links.agent_id, item],
    set: { body_hash: null } as Changes<T>,
    setWhere: sql`${links.body_hash} IS NOT NULL`,
    only: hasRoom(store, kind, { agent: id, item: found.id }),
  });
  const entry = { action: `attach_${kind}`, resource: "agent", resource_id: id } as const;
  const after = await tryChange(reader, entry, change);
  const isAttached = all(eq(links.agent_id, id), eq(item, found.id), isNull(links.body_hash));
  if (after.isChanged || (await store.read(store.count(links, isAttached)))[0] > 0) return after.agent;
  throw noRoom(`${kind}_id`, "the");
}

/** Detaches an item from an agent. @throws ApiError 404 */
export async function detachItem<T extends Links>(
  store: AccountStore,
  { kind, name, items, links, item }: Kind<T>,
  id: string,
  idOrName: string,
): Promise<void> {
  const [agent, found] = await store.read(
    store.first(agents, { where: eq(agents.id, id), columns: ["id"] }),
    store.first(items, { where: byIdOrName(items, idOrName), columns: ["id"] }),
  );
  if (!agent) throw notFound("agent");
  const [gone] = await store.write(
    { action: `detach_${kind}`, resource: "agent", resource_id: id },
    store.delete(links, all(eq(links.agent_id, id), eq(item, found?.id ?? ""))),
  );
  if (gone.length === 0) throw notFound(`attached ${name}`);
}

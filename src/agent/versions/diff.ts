import type { DocumentMode } from "../../kernel/db/schema/index.ts";
import { canonicalJson } from "../../kernel/http/canonical-json.ts";
import type { AgentContent, DocumentItem, Item } from "./content.ts";

/** A difference between two versions. A side is null if the item does not exist there. */
export interface Change {
  field: string;
  old: unknown;
  new: unknown;
}

type Named = Item<{ name: string }> & { enabled?: boolean; config?: Record<string, unknown>; mode?: DocumentMode };

/**
 * Returns the differences between two versions of an agent: each field; for items in both, each of their fields
 * (`faqs.<name>.title`); for items in only one, the whole item (`faqs.<name>`); and the order of a kind (`faqs`).
 */
export function diff(before: AgentContent, after: AgentContent): Change[] {
  return [
    ...changedMembers("", before.fields, after.fields),
    ...ofKind("tools", before.tools, after.tools),
    ...ofKind("playbooks", before.playbooks, after.playbooks),
    ...ofKind("faqs", before.faqs, after.faqs),
    ...ofKind("knowledge", before.documents.map(named), after.documents.map(named)),
  ];
}

/** Returns a document as an item that is named by its title. */
function named({ id, body: { title, sha256, text_sha256 }, mode }: DocumentItem): Named {
  return { id, body: Object.assign({ name: title }, { title, sha256, text_sha256 }), mode };
}

function ofKind(kind: string, before: Named[], after: Named[]): Change[] {
  const [was, is] = [byId(before), byId(after)];
  const gone = before.filter(({ id }) => !is.has(id));
  const changes: Change[] = gone.map((item) => ({ field: nameOf(kind, item), old: shown(item), new: null }));
  for (const item of after) {
    const old = was.get(item.id);
    const field = nameOf(kind, item);
    if (old === undefined) changes.push({ field, old: null, new: shown(item) });
    else changes.push(...changedMembers(`${field}.`, shown(old), shown(item)));
  }
  const order = (items: Named[]) => items.flatMap((item) => (was.has(item.id) && is.has(item.id) ? [item.id] : []));
  if (order(before).join() !== order(after).join()) {
    const names = (items: Named[]) => items.map(({ body }) => body.name);
    changes.push({ field: kind, old: names(before), new: names(after) });
  }
  return changes;
}

const nameOf = (kind: string, { body }: Named) => `${kind}.${body.name}`;

/** Returns an item with its attachment's settings. */
function shown({ body, enabled, config, mode }: Named): Record<string, unknown> {
  if (mode !== undefined) return Object.assign({}, body, { mode });
  return enabled === undefined ? Object.assign({}, body) : Object.assign({}, body, { enabled, config });
}

function changedMembers(prefix: string, before: object, after: object): Change[] {
  const [was, is] = [new Map<string, unknown>(Object.entries(before)), new Map<string, unknown>(Object.entries(after))];
  const names = [...new Set([...was.keys(), ...is.keys()])];
  return names.flatMap((name) => {
    const [old, now] = [was.get(name) ?? null, is.get(name) ?? null];
    return canonicalJson(old) === canonicalJson(now) ? [] : [{ field: `${prefix}${name}`, old, new: now }];
  });
}

const byId = (items: Named[]) => new Map(items.map((item) => [item.id, item]));

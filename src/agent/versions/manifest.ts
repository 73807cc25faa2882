import type { VersionItem } from "../../kernel/db/schema/index.ts";
import { canonicalJson } from "../../kernel/http/canonical-json.ts";
import { sha256Hex } from "../../kernel/secrets/hashing.ts";
import type { AgentContent, Item, VersionFields } from "./content.ts";

/** A version in stored form: its identity, and what it refers to. */
export interface Manifest {
  /** SHA-256 of the fields and items, hexadecimal. */
  hash: string;
  fields: VersionFields;
  items: VersionItem[];
  /** The bodies of the items, by hash. */
  bodies: Map<string, Record<string, unknown>>;
}

/** Returns the manifest of a content. Equal contents always have the same hash. */
export async function manifestOf({ fields, tools, playbooks, faqs, documents }: AgentContent): Promise<Manifest> {
  const bodies = new Map<string, Record<string, unknown>>();
  const hashOf = async ({ body }: Item<Record<string, unknown>>) => {
    const hash = await sha256Hex(canonicalJson(body));
    bodies.set(hash, body);
    return hash;
  };
  const plain = (kind: "playbook" | "faq") => async (item: Item<Record<string, unknown>>) => {
    return { kind, id: item.id, hash: await hashOf(item), settings: null };
  };
  const items: VersionItem[] = await Promise.all([
    ...tools.map(async (tool) => {
      const { id, enabled, config } = tool;
      return { kind: "tool" as const, id, hash: await hashOf(tool), settings: { enabled, config } };
    }),
    ...playbooks.map(plain("playbook")),
    ...faqs.map(plain("faq")),
    ...documents.map(async (document) => {
      const { id, mode } = document;
      return { kind: "document" as const, id, hash: await hashOf(document), settings: { mode } };
    }),
  ]);
  return { hash: await sha256Hex(canonicalJson({ fields, items })), fields, items, bodies };
}

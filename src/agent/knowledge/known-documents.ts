import type { documents } from "../../kernel/db/schema/index.ts";
import { knowledgeBase } from "../../kernel/durable/objects.ts";
import type { DocumentItem } from "../versions/content.ts";
import { MAX_PROMPT_CHARS } from "./limits.ts";
import type { Passage } from "./object/prompt-passages.ts";
import { dayIn, isVisible } from "./visible.ts";

type Row = Pick<typeof documents.$inferSelect, "id" | "title" | "effective_from" | "effective_until">;

/**
 * An agent's document in a conversation. A document in the prompt is complete; one that is found by search has no
 * passages here.
 */
export interface KnownDocument {
  document_id: string;
  title: string;
  passages: Passage[];
}

/** An agent's documents and the facts that decide whether they are visible. */
export interface DocumentsWanted {
  items: readonly DocumentItem[];
  rows: readonly Row[];
  /** The account's time zone; null means UTC. */
  timezone: string | null;
  /** The current time, ms. */
  now: number;
}

/** Returns the agent's documents that are visible today, without their passages. */
export function searchedDocuments({ items, rows, timezone, now }: DocumentsWanted): KnownDocument[] {
  const today = dayIn(timezone, now);
  const visible = new Map(rows.filter((row) => isVisible(row, today)).map((row) => [row.id, row]));
  return items.flatMap(({ id }) => {
    const row = visible.get(id);
    return row ? [{ document_id: id, title: row.title, passages: [] }] : [];
  });
}

/**
 * Reads the agent's documents, with the passages of those in its prompt. Takes one hop, or none without such documents.
 */
export async function knownDocuments(
  { env, account }: { env: Pick<Env, "KNOWLEDGE_BASE">; account: string },
  wanted: DocumentsWanted,
): Promise<KnownDocument[]> {
  const known = searchedDocuments(wanted);
  const ids = new Set(known.map(({ document_id }) => document_id));
  const ofMode = (mode: DocumentItem["mode"]) =>
    wanted.items.filter((item) => item.mode === mode && ids.has(item.id)).map(({ id, text }) => ({ id, text }));
  const wish = { prompt: ofMode("prompt"), auto: ofMode("auto") };
  if (wish.prompt.length + wish.auto.length === 0) return known;
  const read = await knowledgeBase(env, account).promptPassages(wish, MAX_PROMPT_CHARS);
  const passages = new Map(read.map((one) => [one.id, one.passages]));
  return known.map((one) => Object.assign(one, { passages: passages.get(one.document_id) ?? [] }));
}

/** Returns how many characters the documents take in the prompt. */
export function charsOf(known: readonly KnownDocument[]): number {
  const sizes = known.flatMap(({ passages }) => passages.map(({ heading, text }) => heading.length + text.length));
  return sizes.reduce((sum, size) => sum + size, 0);
}

import { eq } from "drizzle-orm";
import { z } from "zod";
import { documents } from "../kernel/db/schema/index.ts";
import { secretsContext } from "../kernel/db/seal-contexts.ts";
import { knowledgeBase } from "../kernel/durable/objects.ts";
import { jsonObject } from "../kernel/http/fields.ts";
import { type BucketStore, ONE, objectStore } from "../kernel/stores/stores.ts";
import { bodyFields, CONFIGURATION, OUTBOX, type RowTables } from "../kernel/stores/tables.ts";
import { newAgentFields, versionedFields } from "./agents/contract.ts";
import { CATALOG } from "./catalog/index.ts";
import { installIntegration } from "./integrations/contract.ts";
import { faqFields, playbookFields, snakeName } from "./item-fields.ts";
import { addressFields, contentTypeField, documentFields } from "./knowledge/fields.ts";
import { MAX_DOCUMENT_BYTES } from "./knowledge/limits.ts";
import { KNOWLEDGE_MIGRATIONS } from "./knowledge/object/migrations.ts";
import { newTestFields } from "./tests/fields.ts";
import { createTool } from "./tools/contract.ts";

const copied = { ...CONFIGURATION, copy: true } as const;
const hash = z.string().regex(/^[0-9a-f]{64}$/);

const ofIndex = {
  nobody: "the index over the chunks, which changes with them",
  left: "built again when the chunks are restored",
} as const;
const nullable = ({ url, pages, refresh_hours }: typeof addressFields.shape) => ({
  url: url.nullable(),
  pages: pages.nullable(),
  refresh_hours,
});
const lastChunk = z.number().nullable();

/** The account's documents. An erased number is masked in their text, and their originals are deleted. */
export const KNOWLEDGE = objectStore({
  migrations: KNOWLEDGE_MIGRATIONS,
  backup: "knowledge",
  listing: ONE,
  at: knowledgeBase,
  sweeps: {
    knowledge: {
      async run(knowledge, { number }, cursor) {
        if (number === null) return { next: null };
        const after = lastChunk.parse(cursor) ?? 0;
        const found = await knowledge.maskNumber(number, after);
        if (found === null) return { next: after, wait: true };
        return { counts: { mentions: found.masked }, next: found.next };
      },
    },
  },
  tables: {
    // A document that was being processed at the time of the backup is processed only when somebody refreshes it after
    // the restore.
    documents: {
      nobody: "the state of the account's documents, by their ids",
      copy: true,
      only: { status: ["ready", "failed"] },
    },
    chunks: { by: ["text"], mentions: ["heading", "text", "words"], erasure: "mask", copy: true },
    kept: { nobody: "hashes of earlier texts, whose chunks are masked with all others", copy: true },
    stale: { nobody: "ids of documents whose old text is being deleted", left: "no search finds this text" },
    sites: {
      nobody: "the addresses that the account's documents are read from",
      left: "after a restore, addresses are read only when a user refreshes them",
    },
    pages: { by: ["text"], mentions: ["url", "title"], erasure: "mask", left: "pages are found again by a refresh" },
    crawl_days: { nobody: "how many pages were fetched today", left: "counted anew" },
    embeddings: {
      nobody: "vectors that a model computed from the chunks; those of a masked chunk are deleted with its text",
      left: "computed again from the chunks",
    },
    chunk_index: ofIndex,
    chunk_index_data: ofIndex,
    chunk_index_idx: ofIndex,
    chunk_index_docsize: ofIndex,
    chunk_index_config: ofIndex,
    chunk_terms: ofIndex,
    outbox: { ...OUTBOX, left: "events, which the source delivers" },
  },
});

export const DOCUMENTS: BucketStore<"documents"> = {
  by: ["text"],
  found: "by the chunks of the document that contain the number",
  erasure: "delete",
  backup: "documents",
  most: MAX_DOCUMENT_BYTES,
  file: /^([0-9a-f-]{36})$/,
  // Originals are served with the media type of their row, not of the stored object.
  mediaType: () => "application/octet-stream",
  async isListed({ store }, id) {
    const [rows] = await store.read(store.select(documents, { where: eq(documents.id, id), columns: ["id"] }));
    return rows.length > 0;
  },
};

/** The D1 tables of agents and their knowledge. */
export const AGENT_ROWS = {
  agents: { ...copied, borders: newAgentFields.shape },
  agent_prompts: copied,
  version_bodies: { ...copied, borders: { hash } },
  agent_versions: { ...copied, borders: { hash, fields: versionedFields.partial() } },
  // A test that was created from a conversation is deleted with it.
  agent_tests: {
    by: ["conversation_id"],
    columns: ["conversation_id"],
    erasure: "delete",
    copy: true,
    borders: newTestFields.shape,
  },
  tools: { ...copied, borders: bodyFields(createTool) },
  playbooks: { ...copied, borders: playbookFields.shape },
  faqs: { ...copied, borders: faqFields.shape },
  agent_tools: { ...copied, signed: ["position"], borders: { tool_name: snakeName, config: jsonObject } },
  agent_playbooks: { ...copied, signed: ["position"] },
  agent_faqs: { ...copied, signed: ["position"] },
  documents: {
    ...copied,
    borders: Object.assign(
      { sha256: hash, text_sha256: hash.nullable(), content_type: contentTypeField },
      documentFields.shape,
      nullable(addressFields.shape),
    ),
  },
  agent_documents: copied,
  integration_installs: {
    ...copied,
    sealed: { secrets: secretsContext },
    borders: {
      id: z.enum(CATALOG.integrations.map(({ id }) => id)),
      params: bodyFields(installIntegration).params ?? z.never(),
    },
  },
} as const satisfies Partial<RowTables>;

import { z } from "@hono/zod-openapi";
import { DOCUMENT_SOURCES } from "../../kernel/db/schema/index.ts";
import { endpoint } from "../../kernel/http/endpoint.ts";
import { idOf } from "../../kernel/http/example-ids.ts";
import { bytes, createdAt, timestamp, updatedAt } from "../../kernel/http/fields.ts";
import { pageOf, paging } from "../../kernel/http/paging.ts";
import { addressFields, documentChanges, documentFields } from "./fields.ts";
import { MAX_DOCUMENT_BYTES, MAX_QUERY_CHARS, MAX_RESULTS, MAX_TEXT_CHARS } from "./limits.ts";
import { PAGE_STATES } from "./object/site-store.ts";
import { documentMode, documentStatus } from "./states-contract.ts";

const documentId = idOf("document", "The document's id, as listDocuments gives it.");

export const document = documentFields
  .extend({
    id: documentId,
    source: z
      .enum(DOCUMENT_SOURCES)
      .openapi({ description: "Whether it is a file, a text or an address.", example: "file" }),
    status: documentStatus,
    reason: z.string().nullable().openapi({
      description:
        "Why its last processing failed, in a word, such as `no_text`, `timed_out` or `too_many_chunks`; null if it did not.",
      example: null,
    }),
    language: documentFields.shape.language.openapi({
      description: "The language that was set (BCP 47), otherwise the detected one; null if neither is known.",
    }),
    bytes: z.number().int().openapi({ description: "The size of the original, bytes.", example: 48_213 }),
    chunks: z.number().int().openapi({ description: "The number of its passages that agents can find.", example: 42 }),
    refreshed_at: timestamp.nullable().openapi({
      description: "When the text that agents find was read (UTC); null if there is none yet.",
    }),
    url: addressFields.shape.url.nullable().openapi({
      description: "The address that it is read from; null for a file or a text.",
    }),
    pages: addressFields.shape.pages.nullable().openapi({
      description: "How many pages of the address are read at most; null for a file or a text.",
    }),
    refresh_hours: addressFields.shape.refresh_hours,
    crawl: z
      .object({
        pages_read: z.number().int().openapi({ description: "Pages that were read.", example: 18 }),
        pages_failed: z.number().int().openapi({ description: "Pages that could not be read.", example: 1 }),
        pages_waiting: z.number().int().openapi({ description: "Pages that have not been read yet.", example: 0 }),
        next_refresh_at: timestamp.nullable().openapi({
          description: "When the address is read again automatically (UTC); null for never.",
        }),
      })
      .nullable()
      .openapi({ description: "The state of the last crawl of its address; null for a file or a text." }),
    used_by: z
      .array(
        z
          .object({
            agent_id: idOf("agent", "An agent that has it."),
            name: z.string().openapi({ description: "The agent's name.", example: "Front desk" }),
            mode: documentMode,
          })
          .openapi("DocumentUse"),
      )
      .openapi({ description: "The agents that it is attached to, by name." }),
    created_at: createdAt,
    updated_at: updatedAt,
  })
  .openapi("Document");

const slice = { access: "account", tag: "Knowledge" } as const;
const params = z.object({ id: documentId });
const unknown = { 404: "unknown document" };

export const listDocuments = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/knowledge",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "listDocuments",
  summary: "List documents, newest first",
  description: "Returns the documents that agents can answer from, with their state.",
  query: z.object(paging({ max: 100, default: 50 })),
  status: 200,
  response: pageOf("documents", document),
});

const optional = documentFields.partial();

export const newText = optional
  .extend({
    title: documentFields.shape.title,
    text: z
      .string()
      .refine((text) => text.trim() !== "", "must not be empty")
      .max(MAX_TEXT_CHARS)
      .openapi({
        description: `The text itself, plain or Markdown, up to ${MAX_TEXT_CHARS.toLocaleString("en-US")} characters.`,
        example: "# Opening hours\nWe are open from Monday to Friday, 9 to 5.",
      }),
  })
  .openapi("NewDocumentText");

export const newAddress = optional
  .extend({
    url: addressFields.shape.url,
    pages: addressFields.shape.pages.default(1),
    refresh_hours: addressFields.shape.refresh_hours.default(null),
  })
  .openapi("NewDocumentAddress");

export const formFields = optional.openapi({ description: "The title is the file's name if it is left out." });

export const createDocument = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/knowledge",
  scope: ["build"],
  operationId: "createDocument",
  summary: "Upload a document that agents answer from",
  description:
    "Send a file as a form, or send JSON with a text or with the address (`url`) of a page or site. Files are " +
    "Markdown, text, HTML, CSV, PDF and Word (`.md`, `.txt`, `.html`, `.csv`, `.pdf`, `.docx`) up to 20 MB. The " +
    "document is read in the background, and the event `document.ready` or `document.failed` reports the result. " +
    "If you send the same content under the same title again, you get the existing document, so the operation " +
    "needs no `Idempotency-Key`.",
  rawBody: {
    "multipart/form-data": {
      schema: formFields.extend({
        file: bytes.openapi({
          description: `The file, up to ${MAX_DOCUMENT_BYTES.toLocaleString("en-US")} bytes.`,
          example: "# Opening hours\n\nWe are open from Monday to Friday, 9 to 5.\n",
        }),
      }),
      encoding: { file: { contentType: "*/*" } },
    },
    "application/json": { schema: z.union([newText, newAddress]).openapi("NewDocument") },
  },
  status: 202,
  response: document,
  errors: {
    400: "an invalid form or text, or a file of another type (`unsupported_type`)",
    403: "the quota of documents or of their bytes is reached",
    413: "the file is larger than 20 MB",
  },
});

export const getDocument = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/knowledge/{id}",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "getDocument",
  summary: "Get a document",
  description: "Returns the document's settings and the state of its processing.",
  params,
  revised: true,
  status: 200,
  response: document,
  errors: unknown,
});

export const updateDocument = endpoint({
  ...slice,
  method: "patch",
  path: "/api/v1/knowledge/{id}",
  scope: ["build"],
  operationId: "updateDocument",
  summary: "Change a document's title, language, validity or refreshing",
  description: "Fields left out stay as they are. The change applies from the next search on.",
  params,
  body: documentChanges,
  revised: true,
  status: 200,
  response: document,
  errors: { 400: "invalid fields, or a document with the same content and title exists", ...unknown },
});

export const deleteDocument = endpoint({
  ...slice,
  method: "delete",
  path: "/api/v1/knowledge/{id}",
  scope: ["build"],
  operationId: "deleteDocument",
  summary: "Delete a document",
  description:
    "Deletes the document with its text and its original. It is detached from all agents, and no later search " +
    "finds it.",
  params,
  status: 204,
  errors: unknown,
});

export const refreshDocument = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/knowledge/{id}/refresh",
  scope: ["build"],
  operationId: "refreshDocument",
  summary: "Read a document again",
  description:
    "Reads the document again from its original or its address. Agents keep the previous text until the new one " +
    "is ready, and if reading fails.",
  params,
  status: 202,
  response: document,
  errors: unknown,
});

export const getDocumentContent = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/knowledge/{id}/content",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "getDocumentContent",
  summary: "Get a document's text",
  description:
    "Returns the text that was read, divided into parts by its headings; empty before the document is ready.",
  params,
  status: 200,
  response: z.object({
    parts: z
      .array(
        z
          .object({
            heading: z.string().openapi({ description: "The headings above the part.", example: "Opening hours" }),
            text: z.string().openapi({
              description: "The text under these headings.",
              example: "We are open from Monday to Friday, 9 to 5.",
            }),
          })
          .openapi("DocumentPart"),
      )
      .openapi({ description: "The parts in the order of the document." }),
  }),
  errors: unknown,
});

const passage = {
  heading: z.string().openapi({ description: "The headings above the passage.", example: "Opening hours" }),
  text: z.string().openapi({
    description: "Its text, up to 2,000 characters.",
    example: "We are open from Monday to Friday, 9 to 5.",
  }),
};
const chunkNumber = z.number().int().openapi({
  description: "Its position in the document, counted from 0.",
  example: 3,
});

export const listDocumentChunks = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/knowledge/{id}/chunks",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "listDocumentChunks",
  summary: "List the passages of a document as searches find them",
  description:
    "Returns the passages in the order of the document. Neighboring passages under one heading overlap by up to " +
    "200 characters.",
  params,
  query: z.object(paging({ max: 100, default: 20 })),
  status: 200,
  response: pageOf("chunks", z.object({ chunk: chunkNumber }).extend(passage).openapi("DocumentChunk")),
  errors: unknown,
});

export const listDocumentPages = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/knowledge/{id}/pages",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "listDocumentPages",
  summary: "List the pages of a document's address",
  description:
    "Returns the pages that the last crawl found, with the reason if a page could not be read. Empty for files " +
    "and texts.",
  params,
  status: 200,
  response: z.object({
    pages: z
      .array(
        z
          .object({
            url: z.string().openapi({ description: "The page's address.", example: "https://www.example.com/help" }),
            title: z.string().openapi({ description: "Its title; empty if it is unknown.", example: "Help" }),
            state: z.enum(PAGE_STATES).openapi({
              description:
                "`waiting`, `read`, `unchanged` since the last crawl, or `failed`, in which case the page keeps its previous " +
                "text.",
              example: "read",
            }),
            reason: z
              .string()
              .nullable()
              .openapi({ description: "Why it failed, in a word; null if it did not.", example: null }),
            chunks: z
              .number()
              .int()
              .openapi({ description: "The number of its passages that agents can find.", example: 3 }),
            read_at: timestamp.nullable().openapi({ description: "When its text was read (UTC); null if it was not." }),
          })
          .openapi("DocumentPage"),
      )
      .openapi({ description: "The pages in the order of the crawl." }),
  }),
  errors: unknown,
});

export const getDocumentOriginal = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/knowledge/{id}/original",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "getDocumentOriginal",
  summary: "Download a document as it was uploaded",
  description: "Returns 404 if the original was deleted because a phone number in it was erased.",
  params,
  status: 200,
  stream: { "application/octet-stream": { schema: bytes } },
  responseHeaders: ["Content-Disposition"],
  errors: { 404: "unknown document, or its original was erased" },
});

const itemId = (kind: "faq" | "playbook", what: string) =>
  idOf(kind, `The ${what} that the passage is from; null for another source.`).nullable();

export const searchKnowledge = endpoint({
  ...slice,
  method: "post",
  path: "/api/v1/knowledge/search",
  scope: ["read"],
  ofAgents: "handler",
  operationId: "searchKnowledge",
  summary: "Search documents by words",
  description:
    "With `agent_id`, returns what that agent finds in a conversation, including its FAQs and playbooks; without " +
    "it, searches all documents of the account. The search uses the query's rarest words, and passages that " +
    "contain more of them come first.",
  body: z.object({
    query: z
      .string()
      .trim()
      .min(1, "must not be empty")
      .max(MAX_QUERY_CHARS)
      .openapi({
        description: `What to look for, up to ${MAX_QUERY_CHARS} characters, in any language. All of it is read as words; there are no operators.`,
        example: "When are you open on Saturdays?",
      }),
    agent_id: idOf(
      "agent",
      "The agent whose knowledge is searched. Required of an API key that is limited to agents.",
    ).optional(),
    limit: z
      .number()
      .int()
      .min(1)
      .max(MAX_RESULTS)
      .default(5)
      .openapi({
        description: `The maximum number of passages, up to ${MAX_RESULTS}.`,
        example: 5,
      }),
  }),
  status: 200,
  response: z.object({
    results: z
      .array(
        z
          .object({
            document_id: idOf("document", "The document that the passage is from; null for another source.").nullable(),
            faq_id: itemId("faq", "FAQ"),
            playbook_id: itemId("playbook", "playbook"),
            title: z.string().openapi({ description: "The name of the source.", example: "Price list 2026" }),
            chunk: chunkNumber,
            ...passage,
            score: z.number().openapi({ description: "How well the passage matches; higher is better.", example: 4.2 }),
          })
          .openapi("KnowledgeResult"),
      )
      .openapi({ description: "The passages that were found, best first; empty if none contains any of the words." }),
  }),
  errors: {
    403: "the API key is for other agents",
    404: "unknown agent",
    429: "`busy`: 50 searches of the account are waiting",
  },
});

export const listUnansweredQuestions = endpoint({
  ...slice,
  method: "get",
  path: "/api/v1/knowledge/unanswered",
  scope: ["listen"],
  ofAgents: "handler",
  operationId: "listUnansweredQuestions",
  summary: "List questions for which agents found nothing, most recent first",
  description:
    "Returns questions from ended conversations in which a search of the agent found nothing. Searches of one " +
    "agent for the same words are one entry. Questions are redacted like their conversation and deleted with it; " +
    "conversations that store no content have none. The account keeps the newest 10,000, and up to 20 of one " +
    "person per day.",
  query: z.object({
    agent_id: idOf("agent", "Only questions to this agent.").optional(),
    ...paging({ max: 100, default: 50 }),
  }),
  status: 200,
  response: pageOf(
    "questions",
    z
      .object({
        agent_id: idOf("agent", "The agent that was asked."),
        question: z.string().openapi({
          description: "The person's last words before the newest of these searches; empty if unknown.",
          example: "Do you have a place to park?",
        }),
        query: z.string().openapi({ description: "What the agent searched for.", example: "parking" }),
        times: z.number().int().openapi({ description: "How many searches were for the same words.", example: 3 }),
        asked_at: timestamp.openapi({ description: "When the newest of these searches was made (UTC)." }),
        conversation_id: idOf("conversation", "The conversation of the newest one."),
      })
      .openapi("UnansweredQuestion"),
  ),
  errors: { 403: "the API key is for other agents" },
});

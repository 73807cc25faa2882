import { z } from "@hono/zod-openapi";
import { DOCUMENT_MODES } from "../../kernel/db/schema/index.ts";
import { DOCUMENT_STATUSES } from "./object/document-store.ts";

export const documentStatus = z.enum(DOCUMENT_STATUSES).openapi({
  description:
    "The state of its last processing: `processing`, `ready`, or `failed` after 10 minutes at the latest. If a " +
    "refresh failed, agents keep the text of `refreshed_at`.",
  example: "ready",
});

export const documentMode = z.enum(DOCUMENT_MODES).openapi({
  description:
    "How conversations get the document: `auto` puts it into the prompt if all the agent's documents that are " +
    "not search-only fit into 8,000 characters; `search` lets the agent search it; `prompt` always puts it into " +
    "the prompt.",
  example: "auto",
});

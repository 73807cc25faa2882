import { z } from "@hono/zod-openapi";
import { idOf } from "../../kernel/http/example-ids.ts";

/** The most passages that a turn cites. */
export const MAX_SOURCES = 20;

/** A passage of a document on which a turn of the agent is based. */
export const turnSource = z
  .object({
    document_id: idOf("document", "The document; it may have been deleted since."),
    chunk: z
      .number()
      .int()
      .openapi({ description: "The passage's position in its document, counted from 0.", example: 3 }),
    heading: z.string().openapi({
      description: "The headings above the passage; empty for none.",
      example: "Opening hours",
    }),
  })
  .openapi("TurnSource");

export type TurnSource = z.output<typeof turnSource>;

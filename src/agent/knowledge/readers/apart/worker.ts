import { WorkerEntrypoint } from "cloudflare:workers";
import { type ReadText, Unreadable } from "../read-text.ts";
import { readDocx } from "./docx.ts";
import { readPdf } from "./pdf.ts";

/**
 * Reads files whose formats take large parsers, in a Worker of its own for each document: without network, bindings or anything of
 * another document, and within the limits that its loader sets.
 */
export default class DocumentReader extends WorkerEntrypoint {
  async read(type: "pdf" | "docx", bytes: Uint8Array): Promise<ReadText> {
    try {
      return type === "pdf" ? await readPdf(bytes) : readDocx(bytes);
    } catch (error) {
      // What the parsers throw tells of the file.
      return { failed: error instanceof Unreadable ? error.reason : "damaged" };
    }
  }
}

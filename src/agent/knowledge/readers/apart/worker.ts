import { WorkerEntrypoint } from "cloudflare:workers";
import { type ReadText, Unreadable } from "../read-text.ts";
import { readDocx } from "./docx.ts";
import { readPdf } from "./pdf.ts";

/**
 * Reads formats with large parsers, in a separate Worker for each document: without network, bindings or other
 * documents' data, and within its loader's limits.
 */
export default class DocumentReader extends WorkerEntrypoint {
  async read(type: "pdf" | "docx", bytes: Uint8Array): Promise<ReadText> {
    try {
      return type === "pdf" ? await readPdf(bytes) : readDocx(bytes);
    } catch (error) {
      // The parsers' messages may contain parts of the file.
      return { failed: error instanceof Unreadable ? error.reason : "damaged" };
    }
  }
}

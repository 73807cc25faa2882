import type DocumentReader from "./apart/worker.ts";
import type { ReadText } from "./read-text.ts";

/** The optional bindings for reading documents in a separate Worker. */
export interface ReaderEnv {
  READERS?: WorkerLoader;
  ASSETS: Fetcher;
}

/** The reader's code is a static file, so that the Worker itself stays small. */
const CODE = "https://assets/readers/document-reader.js";
const MAX_CPU_MS = 20_000;

/** Reads a PDF or Word document in a separate Worker, which has no network access and ends afterwards. */
export async function readApart(env: ReaderEnv, type: "pdf" | "docx", bytes: Uint8Array): Promise<ReadText> {
  const code = env.READERS ? await env.ASSETS.fetch(CODE) : null;
  if (!env.READERS || !code?.ok) return { failed: "reader_unavailable" };
  const worker = env.READERS.load({
    compatibilityDate: "2026-10-20",
    mainModule: "document-reader.js",
    modules: { "document-reader.js": await code.text() },
    globalOutbound: null,
    limits: { cpuMs: MAX_CPU_MS },
  });
  try {
    return await worker.getEntrypoint<DocumentReader>().read(type, bytes);
  } catch {
    // The Worker itself returns all other failures, so it ran out of time or memory.
    return { failed: "takes_too_long" };
  }
}

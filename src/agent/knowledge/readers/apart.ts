import type DocumentReader from "./apart/worker.ts";
import type { ReadText } from "./read-text.ts";

/** What reads documents apart needs of the Worker's bindings; a deployment may have no loader. */
export interface ReaderEnv {
  READERS?: WorkerLoader;
  ASSETS: Fetcher;
}

/** The reader's code among the static files, so that the Worker itself does not carry it. */
const CODE = "https://assets/readers/document-reader.js";
const MAX_CPU_MS = 20_000;

/** Reads a PDF or Word document in a Worker of its own, which has no network and ends with it. */
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
    // It ran out of time or memory: what it makes of a file, it returns.
    return { failed: "takes_too_long" };
  }
}

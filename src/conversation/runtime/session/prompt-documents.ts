import {
  type DocumentsWanted,
  type KnownDocument,
  knownDocuments,
  searchedDocuments,
} from "../../../agent/knowledge/known-documents.ts";
import { logError } from "../../../kernel/log.ts";
import { TIMERS } from "../models/timeouts.ts";

/** The longest time that the beginning of a conversation waits for its documents, ms. */
const LONGEST_WAIT_MS = 300;

/** The agent's documents at the beginning of a conversation. */
export interface PromptDocuments {
  documents: KnownDocument[];
  /** Whether passages that belong in the prompt are missing, because they could not be read in time. */
  isLate: boolean;
}

/**
 * Reads the documents at the beginning of a conversation. Documents that cannot be read in time are found by search.
 */
export async function promptDocuments(
  context: { env: Pick<Env, "KNOWLEDGE_BASE">; account: string },
  wanted: DocumentsWanted,
): Promise<PromptDocuments> {
  const late = Promise.withResolvers<null>();
  const callOff = TIMERS.after(LONGEST_WAIT_MS, () => late.resolve(null));
  const reading = knownDocuments(context, wanted).catch((error: unknown) => {
    logError("prompt_documents", error, { account: context.account });
    return null;
  });
  try {
    const documents = await Promise.race([reading, late.promise]);
    return { documents: documents ?? searchedDocuments(wanted), isLate: documents === null };
  } finally {
    callOff();
  }
}

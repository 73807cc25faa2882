import { type FoundPassage, findKnowledge } from "../../../agent/knowledge/find-knowledge.ts";
import { MAX_QUERY_CHARS } from "../../../agent/knowledge/limits.ts";
import type { AgentContent } from "../../../agent/versions/content.ts";
import { findAgent } from "../../../agent/versions/find-version.ts";
import { taken } from "../../../agent/versions/taken.ts";
import type { AccountStore } from "../../../kernel/db/account-store.ts";
import { clientErrorOf } from "../../../kernel/http/errors.ts";
import { SECOND_MS } from "../../../kernel/time.ts";
import { TIMERS } from "../models/timeouts.ts";
import type { Session } from "../session/snapshot.ts";
import type { PureContext, PureOutcome } from "./pure-tools.ts";

/** The agent's knowledge by kind. */
type Known = Pick<AgentContent, "documents" | "faqs" | "playbooks">;

interface SearchResult {
  source:
    | { kind: "faq" | "playbook"; name: string; title: string }
    | { kind: "document"; document_id: string; title: string; chunk: number; heading: string };
  text: string;
}

interface Context {
  env: Pick<Env, "KNOWLEDGE_BASE">;
  accountStore: AccountStore;
  report(error: unknown): void;
  now(): number;
}

const MAX_RESULTS = 3;
/** The longest wait for a search, ms. Then the agent answers without it. */
const LONGEST_SEARCH_MS = 5 * SECOND_MS;

const BUSY = "too many searches are in progress: say that you cannot look it up at the moment, or try again";
const FAILED = "the search failed: say that you cannot look it up at the moment";

/**
 * Returns the search function of a conversation. It searches the documents, FAQs and playbooks of the version from
 * which the session was created, and never throws.
 */
export function conversationSearch(context: Context & { store: { readonly session: Session } }): PureContext["search"] {
  const known = new WeakMap<Session, AgentContent>();
  return (query) =>
    searchIn(context, query, async () => {
      const { session } = context.store;
      const content = known.get(session) ?? (await contentOf(context.accountStore, session));
      known.set(session, content);
      return content;
    });
}

/** Searches an agent's knowledge for a model. Never throws, even if the search is busy or fails. */
export async function searchIn(
  { env, accountStore: store, report, now }: Context,
  query: string,
  known: () => Promise<Known>,
): Promise<PureOutcome> {
  const find = async () => {
    const searched = await known();
    const wanted = { query: query.slice(0, MAX_QUERY_CHARS), searched, limit: MAX_RESULTS };
    const found = await findKnowledge({ env, store, now: now() }, wanted);
    return found.flatMap((passage) => resultOf(passage, searched));
  };
  const late = Promise.withResolvers<never>();
  const callOff = TIMERS.after(LONGEST_SEARCH_MS, () => late.reject(new Error("a search took too long")));
  try {
    return { ok: true, result: { results: await Promise.race([find(), late.promise]) } };
  } catch (error) {
    if (clientErrorOf(error)?.code === "busy") return { ok: false, result: BUSY };
    report(error);
    return { ok: false, result: FAILED };
  } finally {
    callOff();
  }
}

/** Reads the content from which a session was created, or what is in force if that version was deleted. */
async function contentOf(store: AccountStore, { snapshot, version }: Session): Promise<AgentContent> {
  const { number } = version;
  const agent = await findAgent(store, snapshot.agent.id, number === null ? [] : [number]);
  const took = taken(agent, number !== null && agent.versions.has(number) ? number : "live");
  if (typeof took === "string") throw new Error(`there is nothing to search: ${took}`);
  return took.content;
}

function resultOf(passage: FoundPassage, { faqs, playbooks }: Known): SearchResult[] {
  const { document_id, faq_id, playbook_id, title, chunk, heading, text } = passage;
  if (document_id !== null) return [{ source: { kind: "document", document_id, title, chunk, heading }, text }];
  const kind = faq_id === null ? "playbook" : "faq";
  const entry = [...faqs, ...playbooks].find(({ id }) => id === (faq_id ?? playbook_id));
  return entry ? [{ source: { kind, name: entry.body.name, title }, text }] : [];
}

import { api, data } from "../../../api/client.ts";
import { query } from "../../../api/queries.ts";
import { knowledge } from "../../../texts/index.ts";

export interface Candidate {
  /** The name or ID by which the API attaches it. */
  key: string;
  title: string;
  name: string;
  description: string;
}

/** Maximum number shown. A search finds the others. */
const SHOWN = 50;
/** Maximum number of playbooks or documents that the API returns at once. */
const LISTED = 100;

/** Finds the account's tools that match these words. */
export const toolCandidates = (search: string) =>
  query(["tools", "candidates", search], async (signal) => {
    const query = { limit: SHOWN, ...(search !== "" && { search }) };
    const { tools } = await data(api.GET("/api/v1/tools", { params: { query }, signal }));
    return tools.map(({ name, display_name, description }) => ({ key: name, title: display_name, name, description }));
  });

/** Finds the account's playbooks that match these words. */
export const playbookCandidates = (search: string) =>
  query(["playbooks", "candidates", search], async (signal) => {
    const ask = (query: { limit: number; search?: string }) =>
      data(api.GET("/api/v1/playbooks", { params: { query }, signal }));
    const { playbooks, total } = await ask({ limit: LISTED });
    // The API's search compares only the beginnings of names. It is used only if there are more playbooks than one page.
    const named = total > LISTED && search !== "" ? await ask({ limit: SHOWN, search: nameOf(search) }) : undefined;
    const all = new Map([...playbooks, ...(named?.playbooks ?? [])].map((playbook) => [playbook.id, playbook]));
    const candidates = [...all.values()].map(({ id, name, display_name, description }) => ({
      key: id,
      title: display_name,
      name,
      description,
    }));
    return found(candidates, search);
  });

/** Finds the account's FAQs that match these words. The API returns all of them at once. */
export const faqCandidates = (search: string) =>
  query(["faqs", "candidates", search], async (signal) => {
    const { faqs } = await data(api.GET("/api/v1/faqs", { signal }));
    return found(
      faqs.map(({ id, title, name, content }) => ({ key: id, title, name, description: content })),
      search,
    );
  });

/** Finds the account's newest documents whose titles match these words. */
export const documentCandidates = (search: string) =>
  query(["knowledge", "candidates", search], async (signal) => {
    const query = { limit: LISTED };
    const { documents } = await data(api.GET("/api/v1/knowledge", { params: { query }, signal }));
    return found(
      documents.map(({ id, title, status }) => ({
        key: id,
        title,
        name: "",
        description: status === "ready" ? "" : knowledge.statuses[status],
      })),
      search,
    );
  });

function found(candidates: Candidate[], search: string): Candidate[] {
  const words = search.toLowerCase();
  return candidates
    .filter(({ title, name, description }) => `${title} ${name} ${description}`.toLowerCase().includes(words))
    .slice(0, SHOWN);
}

/** Returns the beginning of a name made of these words. */
const nameOf = (words: string): string => words.toLowerCase().replace(/\s+/g, "_");

import { api, data } from "../../../api/client.ts";

/** Something that can be attached to an agent. */
export interface Candidate {
  /** What the API attaches it by. */
  key: string;
  title: string;
  name: string;
  description: string;
}

/** So many are shown; a search finds the others. */
const SHOWN = 50;

interface Asked {
  signal: AbortSignal;
}

const query = (search: string) => ({ query: { limit: SHOWN, ...(search !== "" && { search }) } });

/** Tools of the account that go by these words. */
export const toolCandidates = (search: string) => ({
  queryKey: ["tools", { search, limit: SHOWN }],
  queryFn: async ({ signal }: Asked): Promise<Candidate[]> => {
    const { tools } = await data(api.GET("/api/v1/tools", { params: query(search), signal }));
    return tools.map(({ name, display_name, description }) => ({ key: name, title: display_name, name, description }));
  },
});

/** Playbooks of the account that go by these words. */
export const playbookCandidates = (search: string) => ({
  queryKey: ["playbooks", { search, limit: SHOWN }],
  queryFn: async ({ signal }: Asked): Promise<Candidate[]> => {
    const { playbooks } = await data(api.GET("/api/v1/playbooks", { params: query(search), signal }));
    return playbooks.map(({ id, name, display_name, description }) => ({
      key: id,
      title: display_name,
      name,
      description,
    }));
  },
});

/** FAQs of the account that go by these words; the API gives them all at once. */
export const faqCandidates = (search: string) => ({
  queryKey: ["faqs", { search, limit: SHOWN }],
  queryFn: async ({ signal }: Asked): Promise<Candidate[]> => {
    const { faqs } = await data(api.GET("/api/v1/faqs", { signal }));
    const words = search.toLowerCase();
    return faqs
      .filter(({ title, name, content }) => `${title} ${name} ${content}`.toLowerCase().includes(words))
      .slice(0, SHOWN)
      .map(({ id, title, name, content }) => ({ key: id, title, name, description: content }));
  },
});

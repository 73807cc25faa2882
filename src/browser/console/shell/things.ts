import { api, data } from "../api/client.ts";
import { agentList, campaignList, numberList } from "../api/lists.ts";
import type { QueryContext } from "../api/queries.ts";
import { useQuery } from "../api/use-query.ts";
import { isOperator } from "../session/session.ts";
import { formatRelative } from "../texts/format.ts";
import { shell as t } from "../texts/index.ts";
import { groupedNumber } from "../ui/phone-number.ts";
import type { Command } from "./commands.ts";

/** The size of one page of the API, and about as many conversations as a user remembers. */
const MAX_CONVERSATIONS = 100;

/** Returns the account's resources by name, from the cache and the API. */
export function useThings(): () => Command[] {
  const enabled = !isOperator();
  const agents = useQuery(() => Object.assign(agentList(), { enabled }));
  const campaigns = useQuery(() => Object.assign(campaignList(), { enabled }));
  const templates = useQuery(() => ({
    queryKey: ["marketplace", "names"],
    queryFn: ({ signal }: QueryContext) => data(api.GET("/api/v1/marketplace/agents", { signal })),
    enabled,
  }));
  const numbers = useQuery(() => Object.assign(numberList(), { enabled }));
  const conversations = useQuery(() => ({
    queryKey: ["conversations", "names"],
    queryFn: ({ signal }: QueryContext) =>
      data(api.GET("/api/v1/conversations", { params: { query: { limit: MAX_CONVERSATIONS } }, signal })),
    enabled,
  }));

  return () => [
    ...(agents.data ?? []).map(({ id, name }) => thing("/agents", id, name, t.kinds.agent)),
    ...(campaigns.data?.campaigns ?? []).map(({ id, name }) => thing("/campaigns", id, name, t.kinds.campaign)),
    ...(numbers.data?.numbers ?? []).map(({ id, e164 }) =>
      thing("/numbers", id, groupedNumber(e164), t.kinds.number, e164),
    ),
    ...(templates.data?.agents ?? []).map(({ id, name, category }) =>
      thing("/marketplace", id, name, t.kinds.template, category),
    ),
    ...(conversations.data?.conversations ?? []).flatMap(({ id, phone_number, started_at }) => {
      if (phone_number === null) return [];
      const kind = t.kinds.conversation(formatRelative(started_at, Date.now()));
      return [thing("/conversations", id, groupedNumber(phone_number), kind, phone_number)];
    }),
  ];
}

function thing(folder: string, id: string, title: string, kind: string, also = ""): Command {
  const href = `${folder}/${id}`;
  return { id: href, title, kind, also, href };
}

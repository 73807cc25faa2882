import { apiKeyList, memberList } from "../api/lists.ts";
import { authority, may } from "../api/may.ts";
import { useQuery } from "../api/use-query.ts";
import { agentVersions as t } from "../texts/index.ts";

/**
 * Returns a function that names an actor of the audit log or a bare ID: "by you", by name if the user may see it,
 * otherwise by kind.
 */
export function useAuthors(): (actor: string) => string {
  const members = useQuery(() => Object.assign(memberList(), { enabled: may("listMembers") }));
  const keys = useQuery(apiKeyList);
  return (actor) => {
    const [kind, id] = actor.includes(":") ? splitAtFirst(actor) : ["", actor];
    if (kind !== "api_key" && id === authority()?.user_id) return t.byYou;
    const key = keys.data?.find((each) => each.id === id);
    if (kind === "api_key" || key) {
      return key?.name ? t.byKeyNamed(key.name) : t.byKey;
    }
    const member = members.data?.members.find((each) => each.id === id);
    return member ? t.by(member.name || member.email) : t.byOthers;
  };
}

/** Splits an actor at the first colon, because a member's ID may contain one. */
function splitAtFirst(actor: string): [kind: string, id: string] {
  const at = actor.indexOf(":");
  return [actor.slice(0, at), actor.slice(at + 1)];
}

import { authority } from "../../api/may.ts";
import { agentVersions as t } from "../../texts/index.ts";

/** Who did a thing, as far as a person can tell by an actor of the audit log: "by you". */
export function byWhom(actor: string): string {
  const [kind, id] = actor.includes(":") ? actor.split(":") : ["", actor];
  if (id === authority()?.user_id) return t.byYou;
  return kind === "api_key" ? t.byKey : t.byOthers;
}

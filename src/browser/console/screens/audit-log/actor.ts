import type { Body } from "../../api/client.ts";
import { formatName } from "../../texts/format.ts";
import { auditLog } from "../../texts/index.ts";

const { actors: t } = auditLog;
/** The number of trailing characters that distinguish two IDs. */
const TAIL = 6;

type Actor = Pick<Body<"AuditEntry">, "actor" | "actor_name">;

/**
 * Returns the name of an actor for the user with the ID `reader`. Actors are `console:<user's ID>`, `api_key:<its ID>`,
 * `operator_token:<its ID>`, `system:<part of the service>` and others.
 */
export function actorInWords({ actor, actor_name }: Actor, reader: string | undefined): string {
  const [kind, id = ""] = actor.split(":");
  switch (kind) {
    case "console":
      return id === reader ? t.you : (actor_name ?? t.user(id.slice(-TAIL)));
    case "api_key":
      return t.key(actor_name ?? `…${id.slice(-TAIL)}`);
    case "operator_token":
      return t.operatorToken(actor_name ?? `…${id.slice(-TAIL)}`);
    case "carrier":
      return t.carrier(formatName(id));
    case "visitor":
      return t.visitor;
    case "conversation":
    case "runtime":
      return t.conversation;
    case "campaign":
      return t.campaign;
    case "system":
      return t.service;
    default:
      return actor;
  }
}

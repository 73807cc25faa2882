import { formatName } from "../../texts/format.ts";
import { auditLog } from "../../texts/index.ts";

const { actors: t } = auditLog;
/** As much of an id as tells two of them apart, characters. */
const TAIL = 6;

/** Who the reader knows by name. */
interface Known {
  /** The reader's own id. */
  user: string | undefined;
  /** Names of API keys by their ids. */
  keys: ReadonlyMap<string, string>;
}

/** Who did something, in words: `console:<user's id>`, `api_key:<its id>`, `system:<part of the service>` and others. */
export function actorInWords(actor: string, known: Known): string {
  const [kind, id = ""] = actor.split(":");
  switch (kind) {
    case "console":
      return id === known.user ? t.you : t.user(id.slice(-TAIL));
    case "api_key":
      return t.key(known.keys.get(id) ?? `…${id.slice(-TAIL)}`);
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

import type { Storage } from "../../kernel/db/schema/index.ts";
import type { AgentContent, VersionFields } from "./content.ts";

/** What of an agent says what it may do, and what is kept of it. */
type Authority = Pick<VersionFields, "transfer_targets" | "storage" | "redact">;
type Privacy = Pick<VersionFields, "storage" | "redact">;

/** How little of a conversation is kept. */
const STRICTNESS: Record<Storage, number> = { all: 0, redacted: 1, metadata: 2 };

/**
 * The fields of a version that is not the one in force: it transfers to nobody and keeps nothing that the one in force
 * would not.
 */
export function narrowerFields<F extends Partial<Authority>>(own: F, inForce: Partial<Authority>): F {
  const narrowed: Partial<Authority> = {};
  const { transfer_targets, storage, redact } = own;
  if (transfer_targets !== undefined) {
    const numbers = new Set(inForce.transfer_targets?.map(({ number }) => number));
    narrowed.transfer_targets = transfer_targets.filter(({ number }) => numbers.has(number));
  }
  if (storage !== undefined) narrowed.storage = stricter(storage, inForce.storage ?? storage);
  if (redact !== undefined) {
    const sides = [
      { storage: own.storage, redact },
      { storage: inForce.storage, redact: inForce.redact ?? [] },
    ];
    const redacting = sides.filter((side) => side.storage === "redacted").flatMap((side) => side.redact);
    narrowed.redact = redacting.length === 0 ? redact : [...new Set(redacting)];
  }
  return Object.assign({}, own, narrowed);
}

/** A version that is not the one in force, with no more authority than that has; its words are its own. */
export function narrower(own: AgentContent, inForce: AgentContent): AgentContent {
  const allowed = new Set(inForce.tools.flatMap(({ id, enabled }) => (enabled ? [id] : [])));
  return {
    fields: narrowerFields(own.fields, inForce.fields),
    tools: own.tools.filter(({ id }) => allowed.has(id)),
    playbooks: own.playbooks,
    faqs: own.faqs,
  };
}

/** Whether `after` keeps anything of conversations that `before` does not. */
export function loosens(before: Privacy, after: Privacy): boolean {
  if (STRICTNESS[after.storage] !== STRICTNESS[before.storage])
    return STRICTNESS[after.storage] < STRICTNESS[before.storage];
  return after.storage === "redacted" && before.redact.some((kind) => !after.redact.includes(kind));
}

function stricter(one: Storage, other: Storage): Storage {
  return STRICTNESS[one] >= STRICTNESS[other] ? one : other;
}

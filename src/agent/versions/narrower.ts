import type { Binding, Bindings, Storage } from "../../kernel/db/schema/index.ts";
import { effectOf, maxRunsOf } from "../tools/effect.ts";
import { argumentNames } from "../tools/run/arguments.ts";
import { bindingSource } from "../tools/run/bind.ts";
import type { AgentContent, ToolBody, ToolItem, VersionFields } from "./content.ts";

/** The agent's fields that decide what it may do, and what is stored of its conversations. */
type Authority = Pick<VersionFields, "transfer_targets" | "storage" | "redact">;
type Privacy = Pick<VersionFields, "storage" | "redact">;
/** The tool's fields that decide what it may do in a conversation, and what its runs are judged by. */
type ToolAuthority = Pick<
  ToolBody,
  "effect" | "max_runs" | "bind" | "schema" | "implementation_type" | "implementation_config"
>;

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

/** A version that is not the one in force, limited to that one's authority; its words are its own. */
export function narrower(own: AgentContent, inForce: AgentContent): AgentContent {
  const allowed = new Map(inForce.tools.flatMap((tool) => (tool.enabled ? [[tool.id, tool] as const] : [])));
  return {
    fields: narrowerFields(own.fields, inForce.fields),
    tools: own.tools.flatMap((tool) => {
      const other = allowed.get(tool.id);
      return other ? [narrowerItem(tool, other)] : [];
    }),
    playbooks: own.playbooks,
    faqs: own.faqs,
    documents: own.documents,
  };
}

/** A tool as attached in a version, limited by how the version in force has it, whose settings it takes. */
function narrowerItem(own: ToolItem, { body, enabled, config }: ToolItem): ToolItem {
  return { id: own.id, body: narrowerTool(own.body, body), enabled: own.enabled && enabled, config };
}

/**
 * A version's tool, limited by the same tool of the version in force: it counts as writing if either does, runs as
 * often as both allow, and an argument that either fills in is never left to the model.
 */
export function narrowerTool<T extends ToolAuthority>(own: T, inForce: ToolAuthority): T {
  const effect = effectOf(own) === "read" && effectOf(inForce) === "write" ? "write" : own.effect;
  const narrowed = Object.assign({}, own, { effect, bind: bindOfBoth(own, inForce) });
  const most = fewer(maxRunsOf(own), maxRunsOf(inForce));
  return maxRunsOf(narrowed) === most ? narrowed : Object.assign(narrowed, { max_runs: most });
}

/** The arguments that either fills in, as far as the tool has them; where both do, from where the one in force says. */
function bindOfBoth(own: ToolAuthority, inForce: ToolAuthority): Bindings | null {
  const names = argumentNames(own.schema);
  const wanted = Object.entries(inForce.bind ?? {}).filter(([name]) => names.has(name));
  if (wanted.length === 0) return own.bind;
  const ownBind = new Map(Object.entries(own.bind ?? {}));
  for (const [name, binding] of wanted) ownBind.set(name, stricterBinding(ownBind.get(name), binding));
  return Object.fromEntries(ownBind);
}

/** Of two bindings to the same source, the one that trusts nobody's word. */
function stricterBinding(own: Binding | undefined, inForce: Binding): Binding {
  if (own === undefined || bindingSource(own).from !== bindingSource(inForce).from) return inForce;
  return bindingSource(own).unverified ? inForce : own;
}

/** The smaller of two limits; null means no limit. */
function fewer(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
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

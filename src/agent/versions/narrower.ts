import type { Binding, Bindings, Storage } from "../../kernel/db/schema/index.ts";
import { effectOf, maxRunsOf } from "../tools/effect.ts";
import { argumentNames } from "../tools/run/arguments.ts";
import { bindingSource } from "../tools/run/bind.ts";
import type { AgentContent, ToolBody, ToolItem, VersionFields } from "./content.ts";

/** The agent's fields that determine what it may do, and what is stored about its conversations. */
type Authority = Pick<VersionFields, "transfer_targets" | "storage" | "redact">;
type Privacy = Pick<VersionFields, "storage" | "redact">;
/** The tool's fields that determine what it may do in a conversation, and how its runs are rated. */
type ToolAuthority = Pick<
  ToolBody,
  "effect" | "max_runs" | "bind" | "schema" | "implementation_type" | "implementation_config"
>;

/** How strict a storage setting is: a higher number means that less is stored. */
const STRICTNESS: Record<Storage, number> = { all: 0, redacted: 1, metadata: 2 };

/**
 * Limits the fields of a version that is not in force: it may not transfer to other numbers or store more than the
 * version in force.
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

/** Limits a version that is not in force to the authority of the one in force. It keeps its own texts. */
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

/** Limits a version's tool to the authority of the same tool in the version in force, and takes that one's settings. */
function narrowerItem(own: ToolItem, { body, enabled, config }: ToolItem): ToolItem {
  return { id: own.id, body: narrowerTool(own.body, body), enabled: own.enabled && enabled, config };
}

/**
 * Limits a version's tool to the authority of the same tool in the version in force: it has effects if either has, it
 * may run as often as both allow, and the model never chooses an argument that either binds.
 */
export function narrowerTool<T extends ToolAuthority>(own: T, inForce: ToolAuthority): T {
  const effect = effectOf(own) === "read" && effectOf(inForce) === "write" ? "write" : own.effect;
  const narrowed = Object.assign({}, own, { effect, bind: bindOfBoth(own, inForce) });
  const most = fewer(maxRunsOf(own), maxRunsOf(inForce));
  return maxRunsOf(narrowed) === most ? narrowed : Object.assign(narrowed, { max_runs: most });
}

/**
 * Returns the arguments that either tool binds, as far as the version's tool has them. If both bind an argument, the
 * version in force decides.
 */
function bindOfBoth(own: ToolAuthority, inForce: ToolAuthority): Bindings | null {
  const names = argumentNames(own.schema);
  const wanted = Object.entries(inForce.bind ?? {}).filter(([name]) => names.has(name));
  if (wanted.length === 0) return own.bind;
  const ownBind = new Map(Object.entries(own.bind ?? {}));
  for (const [name, binding] of wanted) ownBind.set(name, stricterBinding(ownBind.get(name), binding));
  return Object.fromEntries(ownBind);
}

/**
 * Returns the binding that accepts no unverified value if both have the same source, otherwise the one of the version
 * in force.
 */
function stricterBinding(own: Binding | undefined, inForce: Binding): Binding {
  if (own === undefined || bindingSource(own).from !== bindingSource(inForce).from) return inForce;
  return bindingSource(own).unverified ? inForce : own;
}

/** Returns the smaller of two limits; null means no limit. */
function fewer(one: number | null, other: number | null): number | null {
  if (one === null || other === null) return one ?? other;
  return Math.min(one, other);
}

/** Checks whether `after` stores anything about conversations that `before` does not. */
export function loosens(before: Privacy, after: Privacy): boolean {
  if (STRICTNESS[after.storage] !== STRICTNESS[before.storage])
    return STRICTNESS[after.storage] < STRICTNESS[before.storage];
  return after.storage === "redacted" && before.redact.some((kind) => !after.redact.includes(kind));
}

function stricter(one: Storage, other: Storage): Storage {
  return STRICTNESS[one] >= STRICTNESS[other] ? one : other;
}

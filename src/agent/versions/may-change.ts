import { NO_ANALYSIS } from "../../kernel/db/schema/index.ts";
import { canonicalJson } from "../../kernel/http/canonical-json.ts";
import { requireScopes } from "../../kernel/http/require-scopes.ts";
import { type Authority, missingScope, type Scope } from "../../kernel/scopes.ts";
import { customModelsOf } from "../models/model-name.ts";
import { referencesOf } from "../tools/run/references.ts";
import type { AgentContent, ToolBody, ToolItem, VersionFields } from "./content.ts";
import type { FoundAgent } from "./content-reads.ts";
import { loosens } from "./narrower.ts";

/** The models that an agent names. */
type Models = Pick<VersionFields, "llm_model" | "fallback_model" | "analysis">;

/** The parts of an agent that determine what it may do. */
export interface AgentAuthority {
  fields: Pick<VersionFields, "transfer_targets" | "storage" | "redact"> & Models;
  tools: Pick<ToolItem, "id" | "body" | "enabled">[];
}

/** Every scope that a change of an agent can require besides `build`, in the order in which they are checked. */
const OF_CHANGES = ["dial", "manage", "connect", "listen"] as const satisfies Scope[];

/** The fields of a tool that determine what it does. The others are only shown to people. */
const ACTING = [
  "name",
  "description",
  "implementation_type",
  "implementation_code",
  "implementation_config",
  "schema",
  "effect",
  "max_runs",
  "bind",
] as const satisfies (keyof ToolBody)[];

/**
 * Returns the scopes required to change an agent from `before` to `after`; `before` is null for a new agent. Every
 * endpoint that can widen what an agent may do calls this function with the rows that its write then finds.
 */
export function scopesToChange(before: AgentAuthority | null, after: AgentAuthority): Scope[] {
  const { transfer_targets = [] } = before?.fields ?? {};
  const added = widened(before?.tools ?? [], after.tools);
  // Conversations are then sent to the account's own server, as with a tool's integration.
  const sendsElsewhere = namesOtherServer(before?.fields, after.fields);
  const required: Record<(typeof OF_CHANGES)[number], boolean> = {
    dial: canonicalJson(after.fields.transfer_targets) !== canonicalJson(transfer_targets),
    // A new agent has nothing to compare with: it cannot store more than the default, which stores everything.
    manage: before !== null && keepsMore(before.fields, after.fields),
    connect: sendsElsewhere || added.some(namesIntegration),
    listen: sendsElsewhere || added.some(sendsOut),
  };
  return OF_CHANGES.filter((scope) => required[scope]);
}

/** Refuses a caller who may not change an agent from `before` to `after`. @throws ApiError 403 */
export function assertMayChange(caller: Authority, before: AgentAuthority | null, after: AgentAuthority): void {
  requireScopes(caller, scopesToChange(before, after));
}

/** Returns the scopes required to let agents use the tools `after` instead of `before`. */
export function scopesToUse(before: AgentAuthority["tools"], after: AgentAuthority["tools"]): Scope[] {
  return scopesToChange({ fields: NO_AUTHORITY, tools: before }, { fields: NO_AUTHORITY, tools: after });
}

/**
 * The scopes required to change the params or secrets of an integration used by enabled tools, because data may then go
 * elsewhere.
 */
export const SCOPES_TO_REDIRECT = ["connect", "listen"] as const satisfies Scope[];

/**
 * Checks whether the caller has every scope that a change can require, so that the agent need not be read for a
 * decision.
 */
export function mayChangeAnything({ scopes }: Authority): boolean {
  return missingScope(OF_CHANGES, scopes) === null;
}

/**
 * Checks whether a tool sends parts of a conversation to a host outside this service. That is true of any http tool
 * with an address, because no tool can call the service itself, and of any tool that uses an integration.
 */
function sendsOut(body: Pick<ToolBody, "implementation_type" | "implementation_config">): boolean {
  const { implementation_type, implementation_config } = body;
  return (implementation_type === "http" && implementation_config.url !== undefined) || namesIntegration(body);
}

/** Checks whether a tool uses an integration's params or secrets. */
export function namesIntegration({ implementation_config }: Pick<ToolBody, "implementation_config">): boolean {
  return referencesOf(implementation_config).size > 0;
}

/** Returns the content that conversations use under this versioning; null if there is none. */
export function liveUnder(found: FoundAgent, versioning: FoundAgent["row"]["versioning"]): AgentContent | null {
  if (versioning === "auto") return found.draft;
  return found.versions.get(found.row.published_version ?? 0)?.content ?? null;
}

const NO_AUTHORITY: AgentAuthority["fields"] = {
  transfer_targets: [],
  storage: "metadata",
  redact: [],
  llm_model: "",
  fallback_model: null,
  analysis: NO_ANALYSIS,
};

/** Checks whether an agent names a model on the account's own server that it did not name before. */
function namesOtherServer(before: Models | undefined, after: Models): boolean {
  const had = before ? customModelsOf(before) : [];
  return customModelsOf(after).some((model) => !had.includes(model));
}

/**
 * Checks whether more is stored than before. Kinds that were removed from `redact` count under any storage, because the
 * list applies again as soon as the storage is `redacted`. Only a change from `all` to `redacted` stores less with any
 * list.
 */
function keepsMore(before: AgentAuthority["fields"], after: AgentAuthority["fields"]): boolean {
  if (loosens(before, after)) return true;
  if (before.storage === "all" && after.storage === "redacted") return false;
  return before.redact.some((kind) => !after.redact.includes(kind));
}

/** Returns the enabled tools that were missing, disabled or different before. */
function widened(before: AgentAuthority["tools"], after: AgentAuthority["tools"]): ToolBody[] {
  const had = new Map(before.flatMap(({ id, body, enabled }) => (enabled ? [[id, acting(body)] as const] : [])));
  return after.flatMap(({ id, body, enabled }) => (enabled && had.get(id) !== acting(body) ? [body] : []));
}

function acting(body: ToolBody): string {
  return canonicalJson(ACTING.map((field) => body[field]));
}

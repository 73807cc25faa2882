import type { ObjectPart } from "../../kernel/durable/object-part.ts";
import type { Scope } from "../../kernel/scopes.ts";
import type { ConfirmationLedger, ConfirmationRow, Decision, Taken } from "./confirmation-ledger.ts";
import type { Entrance } from "./entrance.ts";

/** The requesting API key: its SHA-256, and the caller view with which it was admitted. */
interface AskingKey {
  hash: string;
  view: string;
}

/** An act for which an API key requests a confirmation. */
export interface ConfirmationRequest {
  id: string;
  digest: string;
  key: AskingKey;
  scope: Scope;
  tool: string;
  binding: string;
  effect: string;
  summary: string;
}

/**
 * A request to take an API key's confirmation. `answered` is the user's answer as reported by the client, if the client
 * asked.
 */
export interface TakingRequest {
  digest: string;
  key: AskingKey;
  binding: string;
  answered: "yes" | "no" | null;
}

export type ConfirmationStatus = "pending" | "approved" | "declined" | "taken" | "expired";

/** The fields that a confirmation's page shows. */
export type Confirmation = Pick<
  ConfirmationRow,
  "id" | "key_id" | "key_name" | "scope" | "tool" | "effect" | "summary" | "expires_at"
> & { status: ConfirmationStatus };

interface Dependencies {
  entrance: Entrance;
  /** Sets the gate's alarm for the next sweep. */
  arm(): Promise<void>;
  existing(): ConfirmationLedger | null;
  open(): ConfirmationLedger;
  clock(): number;
}

/**
 * The acts of API keys that must be confirmed. The authority of the key and of the approving member is checked at each
 * step: a key that was revoked or limited can confirm nothing, and the approval of a member who may no longer do the
 * act does not count.
 */
export class GateConfirmations implements ObjectPart {
  readonly #deps: Dependencies;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Stores an act. Returns when its confirmation expires (ms); null if the key is no longer valid. */
  async add({ key, ...request }: ConfirmationRequest): Promise<number | null> {
    const { clock, open, arm } = this.#deps;
    const bearer = await this.#bearer(key);
    if (bearer === null) return null;
    const { id, digest, scope, tool, binding, effect, summary } = request;
    const { keyId: key_id, name: key_name } = bearer;
    const { hash: key_hash, view } = key;
    const row = { id, digest, key_id, key_hash, key_name, view, scope, tool, binding, effect, summary };
    const expiresAt = open().add(row, clock());
    await arm();
    return expiresAt;
  }

  /** Decides whether the act may be carried out now. It can be confirmed once. */
  async take({ digest, key, binding, answered }: TakingRequest): Promise<Taken> {
    const { clock, existing } = this.#deps;
    const row = existing()?.byDigest(digest);
    const bearer = row && (await this.#bearer(key));
    if (!row || !bearer) return "unknown";
    const { keyId, unattended } = bearer;
    const approver = (await this.#isStillGood(row)) ? row.decided_by : null;
    const needsNoYes = answered === "yes" || unattended;
    const taking = { keyId, view: key.view, binding, needsNoYes, isRefused: answered === "no", approver };
    return existing()?.take(digest, taking, clock()) ?? "unknown";
  }

  /** Returns the confirmation and its status; null if there is none. */
  async get(id: string): Promise<Confirmation | null> {
    const { clock, existing } = this.#deps;
    const row = existing()?.get(id);
    if (!row) return null;
    const isVoid = (await this.#bearer({ hash: row.key_hash, view: row.view })) === null;
    const isGood = await this.#isStillGood(row);
    const { key_id, key_name, scope, tool, effect, summary, expires_at } = row;
    const status = isVoid && row.taken_at === null ? "expired" : statusOf(row, isGood, clock());
    return { id, key_id, key_name, scope, tool, effect, summary, expires_at, status };
  }

  /** Records a member's decision and returns the result; null if the confirmation does not exist. */
  async decide(id: string, decision: Decision, member: string): Promise<Confirmation | null> {
    const { clock, existing } = this.#deps;
    const before = await this.get(id);
    if (before?.status === "expired") return before;
    existing()?.decide(id, decision, member, clock());
    return this.get(id);
  }

  /** Deletes the confirmations that contain the number, and returns how many there were. */
  erase(number: string): number {
    return this.#deps.existing()?.erase(number) ?? 0;
  }

  dueAt(): number | null {
    return this.#deps.existing()?.sweepAt() ?? null;
  }

  async run(now: number): Promise<void> {
    this.#deps.existing()?.sweep(now);
  }

  /** Returns the key's id and terms if it is still valid with this caller view. */
  async #bearer({ hash, view }: AskingKey) {
    const { clock, entrance } = this.#deps;
    const judgment = await entrance.judge({ key: hash }, null, clock());
    if (judgment.outcome !== "ok" || judgment.view !== view || judgment.keyTerms === null) return null;
    return Object.assign({ keyId: judgment.subject }, judgment.keyTerms);
  }

  /** Checks whether the stored approval is by a member who may still approve the act. */
  async #isStillGood({ decision, decided_by, scope }: ConfirmationRow): Promise<boolean> {
    if (decision !== "approved" || decided_by === null) return false;
    const authority = await this.#deps.entrance.authorityOfMember(decided_by, this.#deps.clock());
    return authority?.scopes.includes(scope) ?? false;
  }
}

function statusOf(row: ConfirmationRow, isGood: boolean, now: number): ConfirmationStatus {
  if (row.taken_at !== null) return "taken";
  if (row.decision === "declined") return "declined";
  if (now >= row.expires_at) return "expired";
  return row.decision === "approved" && isGood ? "approved" : "pending";
}

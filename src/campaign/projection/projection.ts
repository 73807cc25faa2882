import { and, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { actorName } from "../../kernel/db/audit-names.ts";
import { all } from "../../kernel/db/conditions.ts";
import { auditLog, calls, campaigns } from "../../kernel/db/schema/index.ts";
import { jsonBytes } from "../../kernel/http/fields.ts";
import { MAX_VARIABLES_BYTES } from "../../phone/calls/contract.ts";
import { endNotes, endReason } from "../../records/ledger/end-reason.ts";
import { isOver } from "../decide/state.ts";
import type { AttemptOfContact } from "../store/attempt-row.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { campaignView, namedVariables } from "../view.ts";

/** Calls written to D1 in one statement. */
const CALLS_A_BATCH = 500;
/** Most characters of contacts' variables in one statement, unless the first contact alone has more. */
const VARIABLES_A_BATCH_CHARS = 1_000_000;
/** Counters change all the time and are projected at most this often, ms; a change of state at once. */
const EVERY_MS = 1_000;

/** Projects the campaign and its calls from the store to D1's listing; what fails is retried later. */
export class Projection {
  readonly #store: CampaignStore;
  readonly #accountStore: AccountStore;
  /** When D1 was last written, and the campaign's state then. */
  #last = 0;
  #status = "";
  /** D1 lists the campaign as running before it is, so that nobody deletes its agent meanwhile. */
  #holdsAgent = false;
  /** Whether the audit log's entry of the creation has the campaign's name, which becomes known later. */
  #namedCreation = false;
  /** The writes to D1 so far, in order. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(store: CampaignStore, accountStore: AccountStore) {
    this.#store = store;
    this.#accountStore = accountStore;
  }

  /** Whether D1 is behind the store. */
  get behind(): boolean {
    const { row } = this.#store.campaign;
    if (row === null) return false;
    return row.mirrored < row.revision || this.#store.attempts.owes || this.#store.audits.pending().length > 0;
  }

  /** Writes pending changes to D1 if due; returns when (ms) to continue, null if D1 is up to date. */
  async push(now: number): Promise<number | null> {
    if (!this.behind) return null;
    const changed = this.#store.campaign.existing.status !== this.#status;
    if (!changed && now < this.#last + EVERY_MS) return this.#last + EVERY_MS;
    await this.pushNow(now);
    return this.behind ? now + EVERY_MS : null;
  }

  /** Writes the campaign's state to D1; throws if D1 does. */
  pushNow(now: number): Promise<void> {
    return this.inTurn(() => this.#tell(now));
  }

  /**
   * Has D1 list the campaign as running, ahead of its start, if its agent is still there: in one statement, so that of a
   * start and the deletion of the agent one finds the other. Gives whether it is held; it is until `releaseAgent`.
   */
  holdAgent(): Promise<boolean> {
    return this.inTurn(async () => {
      // If this process dies, the next one finds D1 behind and writes the actual state.
      this.#store.transaction(() => this.#store.campaign.touch(), Date.now());
      const { agent_id, id, revision } = Object.assign(
        {},
        this.#store.campaign.settings,
        this.#store.campaign.existing,
      );
      const agent = sql`SELECT 1 FROM agents WHERE account = ${this.#accountStore.account} AND id = ${agent_id}`;
      const held = this.#accountStore.update(
        campaigns,
        { status: "running", agent_id },
        all(eq(campaigns.id, id), lte(campaigns.revision, revision), sql`EXISTS (${agent})`),
      );
      const [rows] = await this.#accountStore.record(held);
      this.#holdsAgent = rows.length > 0;
      return this.#holdsAgent;
    });
  }

  /** The campaign is running by now, or was not started: D1 lists its actual state again. */
  releaseAgent(): void {
    this.#holdsAgent = false;
    if (this.#store.campaign.row) this.#store.transaction(() => this.#store.campaign.touch(), Date.now());
  }

  /** Waits for earlier writes, so that an older one never arrives after a newer one. */
  inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = this.#turn.then(work);
    this.#turn = mine.catch(() => {});
    return mine;
  }

  async #tell(now: number): Promise<void> {
    if (!this.behind) return;
    const row = { ...this.#store.campaign.existing };
    const { columns, attempts } = this.#unprojected();
    const audits = this.#store.audits.pending();
    const record = campaignView(row);
    const isHeld = this.#holdsAgent && !isOver(row.status);
    this.#last = now;
    this.#status = row.status;
    const listed = sql`(SELECT value FROM json_each(${JSON.stringify(attempts.map(({ call_id }) => call_id))}))`;
    const recordingOf = sql`SELECT id FROM recordings r WHERE r.account = calls.account AND r.call_id = calls.id ORDER BY r.created_at DESC LIMIT 1`;
    const resource_name = this.#store.campaign.settings.name || null;
    const namesCreation = !this.#namedCreation && resource_name !== null;
    const actors = [...new Set(audits.map(({ actor }) => actor))];
    const ids = JSON.stringify(audits.map(({ id }) => id));
    await this.#accountStore.record(
      this.#accountStore.upsertMany(
        campaigns,
        [
          {
            id: row.id,
            status: isHeld ? "running" : row.status,
            agent_id: record.agent_id,
            from_number: record.from_number,
            revision: row.revision,
            record,
            created_at: record.created_at,
          },
        ],
        {
          target: [campaigns.account, campaigns.id],
          columns: ["status", "agent_id", "from_number", "revision", "record"],
          when: sql`excluded.revision > ${campaigns.revision}`,
        },
      ),
      this.#accountStore.upsertMany(
        calls,
        attempts.map((attempt) => this.#call(attempt, columns)),
        {
          target: [calls.account, calls.id],
          columns: ["status", "provider_call_id", "end_reason", "started_at", "connected_at", "ended_at"],
          patched: ["metadata"],
        },
      ),
      // A recording can be here before its call is listed.
      this.#accountStore.update(
        calls,
        { recording_id: sql`(${recordingOf})` },
        all(inArray(calls.id, listed), isNull(calls.recording_id), sql`EXISTS (${recordingOf})`),
      ),
      this.#accountStore.upsertMany(
        auditLog,
        audits.map(({ id, at, action, actor, request_id, changes }) => ({
          id,
          at: new Date(at).toISOString(),
          actor,
          action,
          request_id,
          resource: "campaign",
          resource_id: row.id,
          resource_name,
          changes: changes === null ? null : JSON.parse(changes),
        })),
        { target: [auditLog.account, auditLog.id], columns: ["at"] },
      ),
      ...(namesCreation ? [this.#nameCreation(record, resource_name)] : []),
      ...actors.map((actor) =>
        this.#accountStore.update(
          auditLog,
          { actor_name: actorName(this.#accountStore.account, actor) },
          all(
            eq(auditLog.actor, actor),
            isNull(auditLog.actor_name),
            inArray(auditLog.id, sql`(SELECT value FROM json_each(${ids}))`),
          ),
        ),
      ),
    );
    this.#namedCreation ||= namesCreation;
    if (!isHeld) this.#store.campaign.markProjected(row.revision);
    this.#store.attempts.markReported(attempts);
    this.#store.audits.delivered(audits);
  }

  /** The name may come late in an upload, after the audit entry of the creation was written. */
  #nameCreation({ id, created_at }: { id: string; created_at: string }, resource_name: string) {
    const isEntry = and(eq(auditLog.resource, "campaign"), eq(auditLog.at, created_at), eq(auditLog.resource_id, id));
    return this.#accountStore.update(auditLog, { resource_name }, all(isEntry, isNull(auditLog.resource_name)));
  }

  /** The next calls to write, and the columns of their contacts: as many as fit. */
  #unprojected() {
    const { columns } = this.#store.campaign.existing;
    const waiting = this.#store.attempts.unreported(CALLS_A_BATCH, MAX_VARIABLES_BYTES);
    let bytes = 0;
    const fit = waiting.filter(({ variables }, i) => {
      bytes += variables === null ? 0 : columns.length + variables.length;
      return i === 0 || bytes <= VARIABLES_A_BATCH_CHARS;
    });
    return { columns: JSON.parse(columns) as string[], attempts: fit };
  }

  #call(attempt: AttemptOfContact, columns: string[]) {
    const time = (ms: number | null) => (ms === null ? null : new Date(ms).toISOString());
    // The outcome of a message is recorded by us, not by the carrier.
    const reason = attempt.message === null ? attempt.reason : null;
    const end = { status: attempt.status, reason, answered_by: null, own: attempt.outcome };
    const left = attempt.message === "left";
    return {
      id: attempt.call_id,
      direction: "outbound" as const,
      status: attempt.status,
      agent_id: attempt.agent_id ?? "",
      campaign_id: this.#store.campaign.existing.id,
      from_number: attempt.from_number ?? "",
      to_number: `+${attempt.phone}`,
      provider: attempt.provider,
      credentials_id: attempt.credentials_id,
      provider_call_id: attempt.provider_call_id,
      end_reason: attempt.ended_at === null ? null : endReason(end),
      created_at: new Date(attempt.dialled_at).toISOString(),
      started_at: time(attempt.dialled_at),
      connected_at: time(attempt.connected_at),
      ended_at: time(attempt.ended_at),
      recorded: attempt.recorded === null ? null : attempt.recorded === 1,
      recording_id: null,
      metadata: attempt.ended_at === null ? {} : { ...endNotes(end), ...(left && { message_left: true }) },
      variables: variablesOf(attempt, columns),
      own_metadata: {},
    };
  }
}

/** The columns of the call's contact, as long as they are no more than a single call may be given. */
function variablesOf({ variables }: AttemptOfContact, columns: string[]): Record<string, string> {
  const named = variables === null ? {} : Object.fromEntries(namedVariables(columns, variables));
  return jsonBytes(named) <= MAX_VARIABLES_BYTES ? named : {};
}

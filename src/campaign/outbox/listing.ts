import { and, eq, inArray, isNull, lte, sql } from "drizzle-orm";
import type { AccountStore } from "../../kernel/db/account-store.ts";
import { actorName } from "../../kernel/db/audit-names.ts";
import { all } from "../../kernel/db/conditions.ts";
import { auditLog, campaigns } from "../../kernel/db/schema/index.ts";
import type { Owed } from "../../kernel/durable/outbox.ts";
import { isOver } from "../decide/state.ts";
import { projectCampaign } from "../projection.ts";
import { pinOf } from "../settings.ts";
import type { AuditEntryOwed } from "../store/audit-entries.ts";
import type { CampaignRow } from "../store/campaign-row.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { Pace } from "./pace.ts";

interface Dependencies {
  store: CampaignStore;
  accountStore: AccountStore;
  now(): number;
}

/** The campaign's pending writes to D1: the row that lists it, by the row's revision, and its audit entries. */
export class Listing {
  readonly #deps: Dependencies;
  readonly #pace = new Pace();
  /** Whether D1 lists the campaign as running before it runs, so that its agent can't be deleted in between. */
  #holdsAgent = false;
  /** Whether the campaign is being deleted, so that D1 has no row of it. */
  #isUnlisted = false;
  /** Whether the audit entry of the creation already contains the campaign's name, which becomes known later. */
  #namedCreation = false;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Returns when the row is due, ms; null if D1 is up to date. */
  dueAt(): number | null {
    const { row } = this.#deps.store.campaign;
    return row !== null && this.#isBehind(row) ? this.#pace.dueAt(row.status) : null;
  }

  /** Writes the row if D1 is outdated, and the pending audit entries, in one round trip. */
  readonly deliver = async (owed: Owed[]): Promise<void> => {
    const { store, accountStore, now } = this.#deps;
    const row = { ...store.campaign.existing };
    const name = store.campaign.settings.name || null;
    const isHeld = this.#holdsAgent && !isOver(row.status);
    const isBehind = this.#isBehind(row);
    this.#pace.begin(row.status, now());
    const entries = owed.map(({ body }): AuditEntryOwed => JSON.parse(body));
    const namesCreation = !this.#namedCreation && name !== null;
    await accountStore.record(
      ...(isBehind ? [this.#list(row, isHeld)] : []),
      ...this.#audit(row.id, name, entries),
      ...(namesCreation ? [this.#nameCreation(row, name)] : []),
    );
    this.#namedCreation ||= namesCreation;
    if (isBehind && !isHeld) store.campaign.markListed(row.revision);
  };

  /**
   * Lists the campaign as running in D1 before it starts, if its agent still exists. This is one statement, so that a
   * concurrent deletion of the agent is detected by one of the two. Returns whether the agent is held. It stays held
   * until `releaseAgent`.
   */
  async holdAgent(): Promise<boolean> {
    const { store, accountStore } = this.#deps;
    // If this process dies, the next one finds that D1 is outdated and writes the actual state.
    this.#touch();
    const { id, revision } = store.campaign.existing;
    const { agent_id } = store.campaign.settings;
    const agent = sql`SELECT 1 FROM agents WHERE account = ${accountStore.account} AND id = ${agent_id}`;
    const held = accountStore.update(
      campaigns,
      { status: "running", agent_id },
      all(eq(campaigns.id, id), lte(campaigns.revision, revision), sql`EXISTS (${agent})`),
    );
    const [rows] = await accountStore.record(held);
    this.#holdsAgent = rows.length > 0;
    return this.#holdsAgent;
  }

  /** Lists the actual state in D1 again, because the campaign is running or wasn't started. */
  releaseAgent(): void {
    this.#holdsAgent = false;
    if (this.#deps.store.campaign.row) this.#touch();
  }

  /** Deletes the campaign's row with `author` as the actor, and runs `work` before D1 may list the campaign again. */
  async unlist(author: AccountStore, work: () => Promise<void>): Promise<void> {
    // If this process dies or the work fails, it is found that D1 is outdated, and the campaign is listed again.
    this.#touch();
    const { id } = this.#deps.store.campaign.existing;
    this.#isUnlisted = true;
    try {
      const entry = { action: "delete", resource: "campaign", resource_id: id } as const;
      await author.write(entry, author.delete(campaigns, eq(campaigns.id, id)));
      await work();
    } finally {
      this.#isUnlisted = false;
    }
  }

  #isBehind({ listed_revision, revision }: CampaignRow): boolean {
    return listed_revision < revision && !this.#isUnlisted;
  }

  #touch(): void {
    const { store, now } = this.#deps;
    store.transaction(() => store.campaign.touch(), now());
  }

  #list(row: CampaignRow, isHeld: boolean) {
    const record = projectCampaign(row);
    const { agent_id, from_number, created_at } = record;
    const agent_version = pinOf(record);
    const { id, revision } = row;
    const status = isHeld ? "running" : row.status;
    return this.#deps.accountStore.upsertMany(
      campaigns,
      [{ id, status, agent_id, agent_version, from_number, revision, record, created_at }],
      {
        target: [campaigns.account, campaigns.id],
        columns: ["status", "agent_id", "agent_version", "from_number", "revision", "record"],
        when: sql`excluded.revision > ${campaigns.revision}`,
      },
    );
  }

  #audit(resource_id: string, resource_name: string | null, entries: AuditEntryOwed[]) {
    if (entries.length === 0) return [];
    const { accountStore } = this.#deps;
    const ids = JSON.stringify(entries.map(({ id }) => id));
    const actors = [...new Set(entries.map(({ actor }) => actor))];
    const rows = entries.map((entry) =>
      Object.assign({}, entry, {
        at: new Date(entry.at).toISOString(),
        resource: "campaign",
        resource_id,
        resource_name,
      }),
    );
    return [
      accountStore.upsertMany(auditLog, rows, { target: [auditLog.account, auditLog.id], columns: ["at"] }),
      ...actors.map((actor) =>
        accountStore.update(
          auditLog,
          { actor_name: actorName(accountStore.account, actor) },
          all(
            eq(auditLog.actor, actor),
            isNull(auditLog.actor_name),
            inArray(auditLog.id, sql`(SELECT value FROM json_each(${ids}))`),
          ),
        ),
      ),
    ];
  }

  /** Adds the name, which may come late in an upload, to the audit entry of the creation. */
  #nameCreation({ id, created_at }: CampaignRow, resource_name: string) {
    const at = new Date(created_at).toISOString();
    const isEntry = and(eq(auditLog.resource, "campaign"), eq(auditLog.at, at), eq(auditLog.resource_id, id));
    return this.#deps.accountStore.update(auditLog, { resource_name }, all(isEntry, isNull(auditLog.resource_name)));
  }
}

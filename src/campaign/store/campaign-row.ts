import type { CampaignStatus, ContactStatus } from "../decide/state.ts";
import { type StoredSettings, storedSettings } from "../settings.ts";

export type Counts = Record<ContactStatus, number>;

/** The campaign's own row: settings, status and counters. Times are ms. */
export interface CampaignRow extends Counts {
  id: string;
  account: string;
  status: CampaignStatus;
  status_reason: string | null;
  importing: number;
  settings: string;
  columns: string;
  created_by: string;
  created_at: number;
  updated_at: number;
  started_at: number | null;
  ended_at: number | null;
  accepted: number;
  rejected: number;
  duplicates: number;
  seq: number;
  hash: string;
  revision: number;
  /** The last revision that D1 has. */
  listed_revision: number;
  /** The last history entry that was reported as an event of the account, and the campaign's status at that entry. */
  reported_seq: number;
  reported_status: CampaignStatus;
  failures: number;
  failed_at: number | null;
  not_before: number | null;
  /** JSON of a Redialling while failed contacts are being made pending again. */
  redial: string | null;
  /** While contacts are being added: the last row before them. */
  append_after: number | null;
  /** Incremented by each change of the settings; compared with If-Match. */
  settings_revision: number;
  /** Who changed the settings last, and when; null if they never changed. */
  settings_by: string | null;
  settings_at: number | null;
  /** The last history entry that added or corrected contacts. */
  contacts_revision: number;
  /** JSON of the countries that the uploads assumed for national numbers; null for none. */
  assumed: string | null;
}

type Changes = Partial<Omit<CampaignRow, "id" | "account" | "revision">>;

/** The row, cached in memory: reading it costs nothing, and a transaction writes all its changes in one statement. */
export class CampaignRowStore {
  readonly #sql: SqlStorage;
  /** Null before the campaign is created and after it is deleted. Only this store replaces it. */
  row: CampaignRow | null;
  #settings: { text: string; parsed: StoredSettings } | null = null;
  readonly #changed = new Set<keyof Changes>();

  constructor(sql: SqlStorage) {
    this.#sql = sql;
    this.row = this.#read();
  }

  /** @throws TypeError if there is no campaign */
  get existing(): CampaignRow {
    if (!this.row) throw new TypeError("there is no campaign here");
    return this.row;
  }

  /** Parsed once, until the settings change. */
  get settings(): Readonly<StoredSettings> {
    const text = this.existing.settings;
    if (this.#settings?.text !== text) this.#settings = { text, parsed: storedSettings(text) };
    return this.#settings.parsed;
  }

  get counts(): Counts {
    const { pending, originated, connected, completed, failed, cancelled } = this.existing;
    return { pending, originated, connected, completed, failed, cancelled };
  }

  /** The last row visible to clients. While contacts are being added, later rows are hidden. */
  get lastShown(): number {
    return this.row?.append_after ?? Number.MAX_SAFE_INTEGER;
  }

  create(row: Pick<CampaignRow, "id" | "account" | "settings" | "created_by" | "created_at">): void {
    this.#sql.exec(
      `INSERT INTO campaign (only, id, account, status, status_reason, importing, settings, columns, created_by, created_at, updated_at)
       VALUES (1, ?, ?, 'draft', 'importing', 1, ?, '[]', ?, ?, ?)`,
      row.id,
      row.account,
      row.settings,
      row.created_by,
      row.created_at,
      row.created_at,
    );
    this.reload();
  }

  /** Applies changes in memory. `flush` stores them. */
  update(changes: Changes): void {
    Object.assign(this.existing, changes);
    for (const column of Object.keys(changes)) this.#changed.add(column as keyof Changes);
  }

  /** Creates a new revision of the unchanged row, so that it is written to D1. */
  touch(): void {
    this.update({ updated_at: this.existing.updated_at });
  }

  /** Stores the changes in one statement as a new revision, which D1 lacks. */
  flush(): void {
    if (this.#changed.size === 0) return;
    const row = this.existing;
    row.revision++;
    const columns = [...this.#changed, "revision" as const];
    const values = columns.map((column) => row[column]);
    this.#sql.exec(`UPDATE campaign SET ${columns.map((column) => `${column} = ?`).join(", ")}`, ...values);
    this.#changed.clear();
  }

  move(from: ContactStatus, to: ContactStatus): void {
    if (from !== to) this.update({ [from]: this.existing[from] - 1, [to]: this.existing[to] + 1 });
  }

  /** Records that D1 has this revision. */
  markListed(revision: number): void {
    this.#sql.exec("UPDATE campaign SET listed_revision = ?", revision);
    this.existing.listed_revision = revision;
  }

  /**
   * Records that the history up to this entry was reported as events of the account. The campaign had this status at
   * that entry.
   */
  markReported(seq: number, status: CampaignStatus): void {
    this.#sql.exec("UPDATE campaign SET reported_seq = ?, reported_status = ?", seq, status);
    Object.assign(this.existing, { reported_seq: seq, reported_status: status });
  }

  reload(): void {
    this.#changed.clear();
    this.row = this.#read();
  }

  /** Drops the cached row after the storage was emptied. */
  unload(): void {
    this.row = null;
  }

  #read(): CampaignRow | null {
    // Reading an object without a campaign must not create its tables.
    const exists = this.#sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'campaign'").toArray().length > 0;
    if (!exists) return null;
    return this.#sql.exec<CampaignRow & Record<string, SqlStorageValue>>("SELECT * FROM campaign").toArray()[0] ?? null;
  }
}

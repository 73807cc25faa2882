import { isRestoring } from "../../kernel/backup/restoring.ts";
import { hasTable, migrate } from "../../kernel/durable/migrate.ts";
import { MOST_OBJECT_BYTES } from "../../kernel/durable/most-object-bytes.ts";
import { AttemptStore } from "./attempts.ts";
import { AuditEntries } from "./audit-entries.ts";
import { CampaignRowStore } from "./campaign-row.ts";
import { ContactCells } from "./contact-cells.ts";
import { ContactListing } from "./contact-listing.ts";
import { ContactStore } from "./contacts.ts";
import { ErasureStore } from "./erasures.ts";
import { HistoryRewriting } from "./history-rewriting.ts";
import { ContactImportStore } from "./import-contacts.ts";
import { Log, type NewEntry } from "./log.ts";
import { CAMPAIGN_MIGRATIONS } from "./migrations.ts";
import { OperationStore } from "./operations.ts";
import { PersonRows } from "./person-rows.ts";
import { RejectStore } from "./rejects.ts";
import { RepairStore } from "./repairs.ts";
import { RowSweep } from "./row-sweep.ts";

/** Size of the object in bytes at which no further call is placed, because calls in progress need the rest. */
const MOST_DIALED_BYTES = 9_500_000_000;

/** Adds entries to the history in the current transaction. */
export type Write = (...entries: NewEntry[]) => void;

/**
 * The stored state of a campaign's object: its record, contacts, attempts and history. Transition functions change it,
 * each in one synchronous transaction over state, counters and history; `publish` then receives the last sequence
 * number of the history.
 */
export class CampaignStore {
  readonly campaign: CampaignRowStore;
  readonly contacts: ContactStore;
  readonly cells: ContactCells;
  readonly listing: ContactListing;
  readonly repairs: RepairStore;
  readonly operations: OperationStore;
  readonly imports: ContactImportStore;
  readonly rejects: RejectStore;
  readonly attempts: AttemptStore;
  readonly log: Log;
  readonly audits: AuditEntries;
  readonly erasures: ErasureStore;
  readonly persons: PersonRows;
  readonly rewriting: HistoryRewriting;
  readonly sweep: RowSweep;
  readonly #storage: DurableObjectStorage;
  readonly #publish: (seq: number) => void;
  /** How long a call may last in addition to the message that it leaves for a machine, ms. */
  readonly voicemailTimeoutMs: number;

  constructor(storage: DurableObjectStorage, publish: (seq: number) => void, voicemailTimeoutMs: number) {
    this.voicemailTimeoutMs = voicemailTimeoutMs;
    this.#storage = storage;
    this.#publish = publish;
    // An object without a campaign is never written to.
    if (hasTable(storage, "campaign") && !isRestoring(storage)) this.createTables();
    this.campaign = new CampaignRowStore(storage.sql);
    this.contacts = new ContactStore(storage.sql, this.campaign);
    this.cells = new ContactCells(storage.sql, this.campaign);
    this.listing = new ContactListing(storage.sql, this.campaign);
    this.operations = new OperationStore(storage.sql);
    this.repairs = new RepairStore(storage.sql, this.campaign);
    this.imports = new ContactImportStore(storage.sql);
    this.rejects = new RejectStore(storage.sql);
    this.attempts = new AttemptStore(storage.sql);
    this.log = new Log(storage.sql, this.campaign);
    this.audits = new AuditEntries(storage.sql);
    this.erasures = new ErasureStore(storage.sql);
    this.persons = new PersonRows(storage.sql);
    this.rewriting = new HistoryRewriting(storage.sql, this.log);
    this.sweep = new RowSweep(storage.sql);
  }

  createTables(): void {
    migrate(this.#storage, CAMPAIGN_MIGRATIONS, Date.now());
  }

  /** Whether the object has room only for the campaign's calls, not for more contacts. */
  get isFull(): boolean {
    return this.#storage.sql.databaseSize > MOST_OBJECT_BYTES;
  }

  /** Whether the object has room only for calls in progress. */
  get isFullForCalls(): boolean {
    return this.#storage.sql.databaseSize > MOST_DIALED_BYTES;
  }

  transaction<T>(work: (write: Write) => T, now: number): T {
    const entries: NewEntry[] = [];
    let result: T;
    try {
      result = this.#storage.transactionSync(() => {
        const done = work((...more) => entries.push(...more));
        if (entries.length > 0) this.log.append(entries, now);
        this.campaign.flush();
        return done;
      });
    } catch (error) {
      this.campaign.reload();
      this.imports.reload();
      throw error;
    }
    if (entries.length > 0) this.#publish(this.campaign.existing.seq);
    return result;
  }
}

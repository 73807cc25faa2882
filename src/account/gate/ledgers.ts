import { hasTable, migrate } from "../../kernel/durable/migrate.ts";
import { AccountQuotas } from "./account-quotas.ts";
import { LeaseLedger } from "./lease-ledger.ts";
import type { Listing } from "./listing.ts";
import { GATE_MIGRATIONS } from "./migrations.ts";
import type { PlanInForce } from "./plan-in-force.ts";
import { SessionLedger } from "./session-ledger.ts";
import { SignInLedger } from "./sign-in-ledger.ts";
import { TurnQueue } from "./turn-queue.ts";

/** What the gate holds in its own storage. */
interface Opened {
  leases: LeaseLedger;
  turns: TurnQueue;
  sessions: SessionLedger;
  quotas: AccountQuotas;
  signIns: SignInLedger;
}

interface Dependencies {
  storage: DurableObjectStorage;
  plan: PlanInForce;
  /** What of the quotas D1 counts. */
  readListing(): Promise<Listing>;
}

/** Opened at the first call, stream, upload, sign-in or sign-out: a gate that only admits requests stores nothing. */
export class Ledgers {
  readonly #deps: Dependencies;
  #opened: Opened | null = null;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Null where nothing was opened in this life of the gate. */
  get opened(): Opened | null {
    return this.#opened;
  }

  /** Whether the gate has ever followed a call. */
  get haveCalls(): boolean {
    return hasTable(this.#deps.storage, "call_leases");
  }

  open(): Opened {
    if (this.#opened) return this.#opened;
    const { storage, plan, readListing } = this.#deps;
    migrate(storage, GATE_MIGRATIONS, Date.now());
    this.#opened = {
      leases: new LeaseLedger(storage.sql),
      turns: new TurnQueue(storage.sql),
      sessions: new SessionLedger(storage.sql),
      quotas: new AccountQuotas(storage.sql, async () => (await plan.get()).quotas, readListing),
      signIns: new SignInLedger(storage.sql),
    };
    return this.#opened;
  }
}

import { hasTable, migrate } from "../../kernel/durable/migrate.ts";
import type { PlanInForce } from "../plan/plan-in-force.ts";
import { AccountQuotas } from "./account-quotas.ts";
import { ConfirmationLedger } from "./confirmation-ledger.ts";
import type { Listing } from "./listing.ts";
import { GATE_MIGRATIONS } from "./migrations.ts";
import { SessionLedger } from "./session-ledger.ts";
import { SignInLedger } from "./sign-in-ledger.ts";
import { SignInTickets } from "./sign-in-tickets.ts";

/** The stores of the gate. */
interface Opened {
  sessions: SessionLedger;
  quotas: AccountQuotas;
  signIns: SignInLedger;
  tickets: SignInTickets;
  confirmations: ConfirmationLedger;
}

interface Dependencies {
  storage: DurableObjectStorage;
  plan: PlanInForce;
  /** Reads the open campaigns and the counts for quotas from D1. */
  readListing(): Promise<Listing>;
}

/**
 * The gate's tables. They are created when a session, sign-in, confirmation or quota is first used, so a gate that only
 * admits requests and writes configuration has none.
 */
export class Ledgers {
  readonly #deps: Dependencies;
  /** Whether the tables existed when the gate was built. */
  readonly #isStored: boolean;
  #opened: Opened | null = null;

  constructor(deps: Dependencies) {
    this.#deps = deps;
    this.#isStored = hasTable(deps.storage, "migrations");
  }

  /** The stores, if their tables exist; null if nothing is stored. */
  get existing(): Opened | null {
    return this.#opened ?? (this.#isStored ? this.open() : null);
  }

  open(): Opened {
    if (this.#opened) return this.#opened;
    const { storage, plan, readListing } = this.#deps;
    migrate(storage, GATE_MIGRATIONS, Date.now());
    this.#opened = {
      sessions: new SessionLedger(storage.sql),
      quotas: new AccountQuotas(storage.sql, async () => (await plan.get()).quotas, readListing),
      signIns: new SignInLedger(storage.sql),
      tickets: new SignInTickets(storage.sql),
      confirmations: new ConfirmationLedger(storage),
    };
    return this.#opened;
  }
}

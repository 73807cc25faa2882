import { MAX_VARIABLES_BYTES } from "../../phone/calls/contract.ts";
import type { LedgerReport } from "../../records/ledger/report.ts";
import type { AttemptOfContact } from "../store/attempt-row.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { lineReport } from "./line-report.ts";
import { Pace } from "./pace.ts";

/** Calls reported at once. */
const CALLS_A_BATCH = 500;
/** Maximum characters of variables in one report, unless the first contact alone has more. */
const VARIABLES_A_BATCH_CHARS = 1_000_000;

interface Dependencies {
  store: CampaignStore;
  /** Accepts all reports, or throws and accepts none. */
  report(reports: LedgerReport[]): Promise<void>;
  now(): number;
}

/** The reports of the campaign's calls for the account's ledger. Each attempt records whether it has changed. */
export class Lines {
  readonly #deps: Dependencies;
  readonly #pace = new Pace();

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Returns when reports are due, ms; null if the ledger is up to date. */
  dueAt(): number | null {
    const { campaign, attempts } = this.#deps.store;
    return campaign.row !== null && attempts.owes ? this.#pace.dueAt(campaign.row.status) : null;
  }

  async deliver(): Promise<void> {
    const { store, report, now } = this.#deps;
    const { id, columns, status } = store.campaign.existing;
    this.#pace.begin(status, now());
    const unreported = store.attempts.unreported(CALLS_A_BATCH, MAX_VARIABLES_BYTES);
    const attempts = asManyAsFit(unreported);
    if (attempts.length > 0) {
      const names: string[] = JSON.parse(columns);
      await report(attempts.map((attempt) => lineReport(id, names, attempt)));
      store.attempts.markReported(attempts);
    }
    if (unreported.length === CALLS_A_BATCH || attempts.length < unreported.length) this.#pace.more();
  }
}

function asManyAsFit(attempts: AttemptOfContact[]): AttemptOfContact[] {
  let chars = 0;
  const end = attempts.findIndex(({ variables }, i) => {
    chars += variables?.length ?? 0;
    return i > 0 && chars > VARIABLES_A_BATCH_CHARS;
  });
  return end === -1 ? attempts : attempts.slice(0, end);
}

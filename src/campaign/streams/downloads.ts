import { PAGE_ROWS, textStream, toCsv } from "../../kernel/http/csv.ts";
import { ApiError } from "../../kernel/http/errors.ts";
import { quotedText } from "../../kernel/rendering/spreadsheet-text.ts";
import { VALUED_STATES } from "../../records/analysis/analysis.ts";
import { type HeldAnalysis, stateIn } from "../../records/analysis/brief.ts";
import { heldAnalysis } from "../projection.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { hashedPart } from "../store/log.ts";
import { type ContactSearch, pageOfContacts, projectContacts } from "./contact-list.ts";
import { type CsvPieces, rejectedRows, repeatedRows, type WriteCell } from "./skipped-rows.ts";

const FIELDS = [
  "phone_number",
  "status",
  "outcome",
  "failure_reason",
  "attempt_count",
  "last_attempt_at",
  "call_id",
  "disposition",
  "agent_version",
  "successful",
  "summary",
] as const;

/** Streams contacts with their outcomes and uploaded columns: all, or the requested ones. */
function contactsCsv(store: CampaignStore, filter: ContactSearch = {}): ReadableStream<Uint8Array> {
  const columns: string[] = JSON.parse(store.campaign.existing.columns);
  const names = store.attempts.analysisNames();
  let after: string | null | undefined;
  return textStream(
    toCsv([[...FIELDS, ...names.flatMap((name) => [`data.${name}`, `data.${name}.state`]), ...columns]]),
    () => {
      if (after === null || store.campaign.row === null) return null;
      const page = pageOfContacts(store, { ...filter, limit: PAGE_ROWS, offset: 0, after });
      after = page.next;
      if (page.rows.length === 0) return "";
      const analyses = page.rows.map(heldAnalysis);
      return toCsv(
        projectContacts(store, page.rows, VALUED_STATES).map((contact, i) => [
          ...FIELDS.map((field) => contact[field]),
          ...names.flatMap((name) => [contact.data?.[name], stateOf(analyses[i], name)]),
          ...columns.map((column) => contact.variables?.[column]),
        ]),
      );
    },
  );
}

function stateOf(analysis: HeldAnalysis | null | undefined, name: string): string | null {
  return analysis ? stateIn(analysis, name) : null;
}

/**
 * Streams a CSV of skipped rows, to be fixed and uploaded again. Its cells are as they were sent, or escaped so that
 * they can be restored.
 */
const skipped =
  (pieces: (store: CampaignStore, write: WriteCell) => CsvPieces, write: WriteCell) =>
  (store: CampaignStore): ReadableStream<Uint8Array> => {
    const { head, next } = pieces(store, write);
    return textStream(head, next);
  };

const asSent: WriteCell = (cell) => cell;

/**
 * Streams the history as NDJSON: `{entry, previous_hash, hash}` per line (docs/campaign-history.md), up to the last
 * entry at the time of the request, because later ones may not be durable yet.
 */
function historyNdjson(store: CampaignStore): ReadableStream<Uint8Array> {
  if (store.erasures.rewriting) throw beingRewritten();
  const { seq } = store.campaign.existing;
  const { rewrites } = store.erasures;
  let after = 0;
  let previous = "";
  return textStream("", () => {
    // The entries after a change wouldn't continue the hash chain that was already sent.
    if (store.erasures.rewrites !== rewrites) throw beingRewritten();
    const rows = store.log.after(after, Math.min(PAGE_ROWS, seq - after));
    const last = rows.at(-1);
    if (!last) return null;
    after = last.seq;
    return rows
      .map((row) => {
        const line = JSON.stringify({ entry: hashedPart(row), previous_hash: previous, hash: row.hash });
        previous = row.hash;
        return `${line}\n`;
      })
      .join("");
  });
}

/** Time after which the history can be downloaded again, s. */
const REWRITTEN_IN_S = 5;

const beingRewritten = () =>
  new ApiError(503, "history_being_rewritten", "a person is being erased from the history; try again in a moment", {
    "retry-after": String(REWRITTEN_IN_S),
  });

export const DOWNLOADS = {
  contacts: contactsCsv,
  rejects: skipped(rejectedRows, asSent),
  rejects_for_spreadsheet: skipped(rejectedRows, quotedText),
  duplicates: skipped(repeatedRows, asSent),
  duplicates_for_spreadsheet: skipped(repeatedRows, quotedText),
  history: historyNdjson,
};

import Papa from "papaparse";
import { giveWay } from "../../durable/give-way.ts";
import { quotedText, spreadsheetText } from "../../http/spreadsheet-text.ts";
import type { CampaignStore } from "../store/campaign-store.ts";
import { hashedPart } from "../store/log.ts";
import { campaignView, contactView } from "../view.ts";
import { type CsvPieces, rejectedRows, repeatedRows, type WriteCell } from "./skipped-rows.ts";

/** Rows read and written at a time. */
const PAGE_ROWS = 1_000;
const encoder = new TextEncoder();

const FIELDS = [
  "phone_number",
  "status",
  "outcome",
  "failure_reason",
  "attempt_count",
  "last_attempt_at",
  "call_id",
  "disposition",
] as const;

/**
 * A stream of text that is made as it is read, never the whole file in memory; other requests get a turn between two
 * pieces. `next` gives null at the end.
 */
function textStream(head: string, next: () => string | null): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(head)),
    async pull(controller) {
      await giveWay();
      const text = next();
      if (text === null) controller.close();
      else controller.enqueue(encoder.encode(text));
    },
  });
}

/** CSV by RFC 4180, of cells that no spreadsheet computes. */
function toCsv(rows: (string | number)[][]): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === "string" ? spreadsheetText(cell) : cell)));
  return `${Papa.unparse(cells, { newline: "\r\n" })}\r\n`;
}

/** Every contact with what came of it, and the columns it was uploaded with. */
function contactsCsv(store: CampaignStore): ReadableStream<Uint8Array> {
  const { id } = campaignView(store.campaign.known);
  const columns: string[] = JSON.parse(store.campaign.known.columns);
  let after = 0;
  return textStream(toCsv([[...FIELDS, ...columns]]), () => {
    const rows = store.listing.page({ limit: PAGE_ROWS, offset: 0, after });
    const last = rows.at(-1);
    if (!last) return null;
    after = last.id;
    return toCsv(
      rows.map((row) => {
        const contact = contactView(id, columns, row);
        return [
          ...FIELDS.map((field) => contact[field] ?? ""),
          ...columns.map((column) => contact.variables[column] ?? ""),
        ];
      }),
    );
  });
}

/** A CSV of skipped rows, to be mended and sent again: its cells as they were sent, or so that they can be had back. */
const skipped =
  (pieces: (store: CampaignStore, write: WriteCell) => CsvPieces, write: WriteCell) =>
  (store: CampaignStore): ReadableStream<Uint8Array> => {
    const { head, next } = pieces(store, write);
    return textStream(head, next);
  };

const asSent: WriteCell = (cell) => cell;

/**
 * The history as NDJSON: `{entry, previous_hash, hash}` a line (docs/campaign-history.md), as far as it went when it was
 * asked for: what is written meanwhile may not be durable yet.
 */
function historyNdjson(store: CampaignStore): ReadableStream<Uint8Array> {
  const { seq } = store.campaign.known;
  let after = 0;
  let previous = "";
  return textStream("", () => {
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

/** The files of a campaign, as streams, by what they hold. */
export const DOWNLOADS = {
  contacts: contactsCsv,
  rejects: skipped(rejectedRows, asSent),
  rejects_for_spreadsheet: skipped(rejectedRows, quotedText),
  duplicates: skipped(repeatedRows, asSent),
  duplicates_for_spreadsheet: skipped(repeatedRows, quotedText),
  history: historyNdjson,
};

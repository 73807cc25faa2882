import { z } from "@hono/zod-openapi";
import Papa from "papaparse";
import { giveWay } from "../durable/give-way.ts";
import { spreadsheetText } from "../rendering/spreadsheet-text.ts";

/** The number of rows read and written at a time. */
export const PAGE_ROWS = 1_000;

const encoder = new TextEncoder();

type Text = string | null;

/**
 * Streams a text as it is read, without ever holding the whole file in memory. Other requests are served between two
 * pieces. `next` returns null at the end. Empty texts are not sent.
 */
export function textStream(head: string, next: () => Text | Promise<Text>): ReadableStream<Uint8Array> {
  return new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(encoder.encode(head)),
    async pull(controller) {
      let text: Text;
      do {
        await giveWay();
        text = await next();
      } while (text === "");
      if (text === null) controller.close();
      else controller.enqueue(encoder.encode(text));
    },
  });
}

/** A cell of a CSV. Null and undefined are written as empty cells. */
export type Cell = string | number | boolean | null | undefined;

/** Writes CSV (RFC 4180) with cells that no spreadsheet evaluates as formulas. */
export function toCsv(rows: Cell[][]): string {
  const cells = rows.map((row) => row.map((cell) => (typeof cell === "string" ? spreadsheetText(cell) : cell)));
  return `${Papa.unparse(cells, { newline: "\r\n" })}\r\n`;
}

/**
 * Streams rows as CSV, and reads the next page when the client has taken the previous one. `page` returns the next
 * rows; null at the end.
 */
export function csvStream<Row>(
  columns: Record<string, (row: Row) => Cell>,
  page: () => Promise<Row[] | null>,
): ReadableStream<Uint8Array> {
  const cells = Object.values(columns);
  return textStream(toCsv([Object.keys(columns)]), async () => {
    const rows = await page();
    if (rows === null) return null;
    return rows.length === 0 ? "" : toCsv(rows.map((row) => cells.map((cell) => cell(row))));
  });
}

/**
 * The query parameter for a byte order mark. Spreadsheets detect UTF-8 by it, and other programs would read it as text.
 */
export const forSpreadsheet = {
  for: z.enum(["spreadsheet"]).optional().openapi({
    description: "`spreadsheet` adds a byte order mark, so that Excel reads letters such as é correctly.",
    example: "spreadsheet",
  }),
};

export interface ForReader {
  for?: "spreadsheet" | undefined;
}

const BYTE_ORDER_MARK = new Uint8Array([0xef, 0xbb, 0xbf]);

/** Returns a response that the client saves under this name. */
export function download(
  stream: ReadableStream<Uint8Array>,
  contentType: string,
  name: string,
  reader?: ForReader["for"],
): Response {
  const marked = new TransformStream<Uint8Array, Uint8Array>({ start: (to) => to.enqueue(BYTE_ORDER_MARK) });
  return new Response(reader === "spreadsheet" ? stream.pipeThrough(marked) : stream, {
    headers: {
      "content-type": contentType,
      "content-disposition": `attachment; filename="${name}"`,
      "cache-control": "no-store",
    },
  });
}

export const CSV_TYPE = "text/csv; charset=utf-8";

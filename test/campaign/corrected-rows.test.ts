import fc from "fast-check";
import Papa from "papaparse";
import { describe, expect, it } from "vitest";
import { ContactAppend } from "../../src/campaign/import/append.ts";
import { importUpload } from "../../src/campaign/import/importer.ts";
import { CampaignStore } from "../../src/campaign/store/campaign-store.ts";
import { beginImport } from "../../src/campaign/store/import-transitions.ts";
import { DOWNLOADS } from "../../src/campaign/streams/downloads.ts";
import { spreadsheetText } from "../../src/kernel/rendering/spreadsheet-text.ts";
import { MINUTE_MS } from "../../src/kernel/time.ts";
import { field, file, formBytes } from "./multipart.ts";
import { inObject } from "./world/virtual-world.ts";

const AUTHOR = { actor: "test", request_id: "test" };
const NOW = Date.parse("2026-11-20T10:00:00Z");
const SKIP = { on_invalid: "skip" };
const TYPE = "multipart/form-data; boundary=b";

function formOf(csv: string, options: Record<string, string>) {
  const parts = [...Object.entries(options).map(([name, value]) => field(name, value)), file(csv)];
  const { body } = new Response(formBytes(parts, "b"));
  return { headers: new Headers({ "content-type": TYPE }), body };
}

/** Creates a campaign from an upload in an object's own storage. */
async function campaignOf(storage: DurableObjectStorage, csv: string, options: Record<string, string>, most?: number) {
  const store = new CampaignStore(storage, () => {}, MINUTE_MS);
  const id = crypto.randomUUID();
  beginImport(store, { id, account: "a", settings: "{}", created_by: "t", created_at: NOW }, AUTHOR);
  await importUpload(
    formOf(csv, options),
    store,
    () => NOW,
    async () => [],
    most,
  );
  const claims = {
    appending: <T>(_: unknown, read: (revoked: AbortSignal) => Promise<T>) => read(new AbortController().signal),
    keepUpload: async () => {},
    uploaded: async () => {},
  };
  const appends = new ContactAppend(store, claims, most);
  const upload = {
    content_type: TYPE,
    author: AUTHOR,
    created_by: "t",
    reader: { credential: { key: "k" }, until: null, view: "" },
    agentIds: null,
    strict: false,
  };
  return {
    store,
    append: async (list: string, options: Record<string, string> = {}) =>
      (await appends.append(upload, formOf(list, options).body, async () => {})).counts,
    rows: async (name: Exclude<keyof typeof DOWNLOADS, "history">) =>
      parsed(await new Response(DOWNLOADS[name](store)).text()),
    contacts: () =>
      store.listing.page({ limit: 1_000, offset: 0 }).map(({ phone, variables }) => [`+${phone}`, variables]),
  };
}

const parsed = (csv: string) =>
  Papa.parse<string[]>(csv, { newline: "\r\n", delimiter: ",", skipEmptyLines: true }).data;
const csvOf = (rows: string[][], delimiter = ",") => `${Papa.unparse(rows, { newline: "\r\n", delimiter })}\r\n`;

const cell = fc.string({ unit: fc.constantFrom(..."ab=+- ,;|\t'\"\r\n\u2028é"), maxLength: 6 });
/** A valid row, or one that is invalid in one of several ways, with its number and other cells. */
const row = fc
  .record({
    bad: fc.constantFrom(null, null, "number", "empty", "zone", "extra"),
    note: cell,
    extra: fc.array(cell, { minLength: 1, maxLength: 3 }),
  })
  // An empty row doesn't count as a row.
  .filter(({ bad, note }) => bad !== "empty" || note.trim() !== "");
type Row = { bad: string | null; note: string; extra: string[] };

const numberOf = (i: number) => `+1202555${1_000 + i}`;
const sent = ({ bad, note, extra }: Row, i: number) => [
  bad === "number" ? "nonsense" : bad === "empty" ? "" : numberOf(i),
  note,
  bad === "zone" ? "Mars/Base" : "",
  ...(bad === "extra" ? extra.with(-1, "x") : []),
];

describe("exporting skipped rows", () => {
  it("returns rows as they were sent, rejects them again unchanged, and accepts them once corrected", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(row, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(",", ";", "\t", "|"),
        async (rows, delimiter) => {
          // At least one row is valid; otherwise no campaign is created.
          const list = [{ bad: null, note: "", extra: [] }, ...rows];
          const header = ["Phone Number", "=a;note", "timezone"];
          await inObject(async (storage) => {
            const campaign = await campaignOf(storage, csvOf([header, ...list.map(sent)], delimiter), SKIP);
            const bad = list.flatMap((row, i) => (row.bad === null ? [] : [{ ...row, i }]));
            const [head = [], ...rejects] = await campaign.rows("rejects");
            expect(head.slice(0, 3)).toEqual(header);
            expect(head.slice(-2)).toEqual(["_line", "_reason"]);
            // The cells, including surplus ones.
            expect(rejects.map((cells) => cells.slice(0, -2))).toEqual(
              bad.map((row) => Array.from({ length: head.length - 2 }, (_, n) => sent(row, row.i)[n] ?? "")),
            );
            if (bad.length === 0) return;
            // The files for spreadsheets contain no formulas, and unquoting restores the cells.
            const [quotedHead = [], ...quoted] = await campaign.rows("rejects_for_spreadsheet");
            for (const cell of [...quotedHead, ...quoted.flat()]) expect(spreadsheetText(cell)).toBe(cell);
            await expect(campaign.append(csvOf([quotedHead, ...quoted]), SKIP)).rejects.toThrow(
              `invalid lines in total: ${bad.length}`,
            );
            expect(await campaign.rows("rejects")).toEqual([head, ...rejects]);
            const corrected = quoted.map((cells, n) => [
              numberOf(bad[n]?.i ?? 0),
              cells[1] ?? "",
              "",
              ...head.slice(3, -2).map(() => ""),
              ...cells.slice(-2),
            ]);
            expect(await campaign.append(csvOf([quotedHead, ...corrected]))).toEqual({
              accepted: bad.length,
              rejected: 0,
              duplicates: 0,
            });
            expect(campaign.contacts().sort()).toEqual(
              list.map(({ note }, i) => [numberOf(i), JSON.stringify([note, ""])]).sort(),
            );
            // Uploaded again, all of them are duplicates.
            expect(await campaign.append(csvOf([quotedHead, ...corrected]))).toEqual({
              accepted: 0,
              rejected: 0,
              duplicates: bad.length,
            });
          });
        },
      ),
      { numRuns: 25 },
    );
  });

  it("loses no cells of a row that has more than the maximum number of columns", async () => {
    await inObject(async (storage) => {
      const many = Array.from({ length: 500 }, (_, i) => `c${i}`);
      const csv = `phone_number,name\n+12025550101,Ada\n+12025550103,${many}\n`;
      const { rows, append } = await campaignOf(storage, csv, SKIP);
      const [head = [], row = []] = await rows("rejects");
      const names = many.slice(0, 100).map((_, i) => `_extra_${i + 1}`);
      expect(head).toEqual(["phone_number", "name", ...names, "_line", "_reason"]);
      expect(row.slice(0, 101)).toEqual(["+12025550103", ...many.slice(0, 100)]);
      expect(row.at(-3)?.split(",")).toEqual(many.slice(100));
      await expect(append(csvOf([head, row]), SKIP)).rejects.toThrow(/line 2: has \d+ fields, but the header has 2/);
    });
  });

  it("loses no cells of a row with malformed quotes, and does not merge it with other lines", async () => {
    await inObject(async (storage) => {
      const csv = 'phone_number,name\n+12025550101,Ada\n+12025550102,"Bob" B\n+12025550103,Eve\n';
      const { rows, append } = await campaignOf(storage, csv, SKIP);
      const rejects = await rows("rejects");
      expect(rejects).toEqual([
        ["phone_number", "name", "_extra_1", "_extra_2", "_line", "_reason"],
        ["", "", "+12025550102", 'Bob" B\n+12025550103,Eve', "3", "a quoted field is malformed"],
      ]);
      await expect(append(csvOf(rejects), SKIP)).rejects.toThrow("line 2: has 4 fields, but the header has 2");
    });
    await inObject(async (storage) => {
      const csv = 'phone_number,name\n+12025550101,Ada\n+12025550102,"Bob" B\n';
      const { rows } = await campaignOf(storage, csv, SKIP);
      expect((await rows("rejects"))[1]?.slice(0, 2)).toEqual(["+12025550102", 'Bob" B']);
    });
  });
});

describe("duplicate numbers", () => {
  const list = (n: number, of: number) =>
    `phone_number,n\n${Array.from({ length: n }, (_, i) => `${numberOf(i % of)},${i}\n`).join("")}`;

  it("do not count towards the maximum number of contacts, whenever they are found", async () => {
    await inObject(async (storage) => {
      // With several chunks, duplicates are found at once from the first chunk over the limit.
      const { store, contacts, rows } = await campaignOf(storage, list(40_000, 300), {}, 300);
      const { accepted, pending, duplicates } = store.campaign.existing;
      expect([accepted, pending, duplicates]).toEqual([300, 300, 39_700]);
      expect(contacts()).toEqual(Array.from({ length: 300 }, (_, i) => [numberOf(i), JSON.stringify([String(i)])]));
      const [head, ...repeated] = await rows("duplicates");
      expect(head).toEqual(["phone_number", "n", "_line", "_first_line"]);
      expect(repeated).toEqual(
        Array.from({ length: 39_700 }, (_, i) => i + 300).map((i) => [
          numberOf(i % 300),
          String(i),
          String(i + 2),
          String((i % 300) + 2),
        ]),
      );
    });
  });

  it("do not hide that a list has one contact too many, in a new campaign or an existing one", async () => {
    await inObject(async (storage) => {
      await expect(campaignOf(storage, list(400, 301), {}, 300)).rejects.toThrow(/at most 300 contacts/);
    });
    await inObject(async (storage) => {
      const { append, contacts } = await campaignOf(storage, list(299, 299), {}, 300);
      await expect(append(list(301, 301), {})).rejects.toThrow(/at most 300 contacts/);
      expect(contacts()).toHaveLength(299);
      expect(await append(list(300, 300), {})).toEqual({ accepted: 1, rejected: 0, duplicates: 299 });
    });
  });
});

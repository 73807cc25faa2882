import Papa from "papaparse";

const ROWS = 200;

/** Returns a list as in a user's spreadsheet: 200 rows, over a quarter of which are invalid. */
export function messyRows(): string[][] {
  // The last two digits decide the outcome in the sandbox: 01 is busy, 10 answers.
  const spelt = [
    (n: string) => `+1 (303) ${n.slice(0, 3)}-${n.slice(3)}`,
    (n: string) => `303.${n.slice(0, 3)}.${n.slice(3)}`,
    (n: string) => `001303${n}`,
    (n: string) => ` 303 ${n} `,
  ];
  const number = (i: number, ending: string) => `55${String(i).padStart(3, "0")}${ending}`;
  const row = (i: number, mobile: string, more: string[] = []) => [
    `Person ${i}`,
    mobile,
    i % 7 === 0 ? `=HYPERLINK("http://evil.example","${i}")` : `Firm; ${i}`,
    i % 5 === 0 ? "calls back\nafter six, he said" : "",
    ...more,
  ];
  return Array.from({ length: ROWS }, (_, i) => {
    const ending = i % 10 === 3 ? "01" : "10";
    if (i < 130) return row(i, spelt[i % 4]?.(number(i, ending)) ?? "");
    if (i < 155) return row(i, spelt[(i + 1) % 4]?.(number(i - 130, i % 10 === 3 ? "01" : "10")) ?? "");
    if (i < 170) return row(i, "");
    if (i < 185) return row(i, `ask at desk ${i}`);
    return row(i, spelt[i % 4]?.(number(i, ending)) ?? "", ["a cell too many"]);
  });
}

/** Formats rows as a spreadsheet saves them. */
export const asFile = (rows: string[][]) =>
  `\ufeff${Papa.unparse([["Name", "Mobile", "Firm", "Note"], ...rows], { delimiter: ";", newline: "\r\n" })}`;

import Papa from "papaparse";
import { Sections } from "./read-text.ts";

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*$/;
const FENCE = /^ {0,3}(```|~~~)/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
/** Front matter: the settings of a site generator before the text. */
const FRONT_MATTER = /^---[ \t]*\n[\s\S]{0,10000}?\n---[ \t]*\n/;

const lineBreaks = (text: string) => text.replaceAll(/\r\n?/g, "\n");

export function readPlain(text: string) {
  const sections = new Sections();
  sections.line(lineBreaks(text));
  return { title: null, blocks: sections.end() };
}

/** Reads Markdown into sections by heading. The text keeps its markup, which models understand. */
export function readMarkdown(text: string) {
  const sections = new Sections();
  let fence: string | null = null;
  let held: string | null = null;
  const release = () => {
    if (held !== null) sections.line(held);
    held = null;
  };
  for (const line of lineBreaks(text).replace(FRONT_MATTER, "").split("\n")) {
    const [, mark] = FENCE.exec(line) ?? [];
    if (mark && (fence === null || fence === mark)) fence = fence === null ? mark : null;
    const [, marks, heading] = (fence === null && HEADING.exec(line)) || [];
    const [, underline] = (fence === null && held?.trim() && UNDERLINE.exec(line)) || [];
    if (underline && held !== null) {
      sections.heading(underline.startsWith("=") ? 1 : 2, held.trim());
      held = null;
    } else if (marks !== undefined && heading !== undefined) {
      release();
      sections.heading(marks.length, heading);
    } else {
      release();
      held = line;
    }
  }
  release();
  return { title: sections.title, blocks: sections.end() };
}

/** Reads a table: each row becomes a line with the column's name before each cell. */
export function readCsv(text: string) {
  const sections = new Sections();
  let names: string[] | null = null;
  Papa.parse<string[]>(text, {
    skipEmptyLines: "greedy",
    step: ({ data }) => {
      if (names === null) names = data.map((name) => name.trim());
      else sections.line(rowLine(names, data));
    },
  });
  return { title: null, blocks: sections.end() };
}

function rowLine(names: readonly string[], cells: readonly string[]): string {
  const named = cells.flatMap((cell, at) => {
    const value = cell.trim().replaceAll(/\s+/g, " ");
    return value === "" ? [] : [names[at] ? `${names[at]}: ${value}` : value];
  });
  return named.join("; ");
}

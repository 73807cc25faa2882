/** Reads the names of tests from their files without running them. */
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../paths.ts";

/** A test with its full name: its groups' names and its own, joined as Vitest prints them. */
interface NamedTest {
  name: string;
  file: string;
}

const BLOCK = /^(\s*)(describe|it)\b/;
/** The first argument, if it is a text followed by another argument. */
const TITLE = /\(\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)\s*,/;
/** A table of cases that continues on the next line. */
const OPEN_TABLE = /\.each\(\[?$/;
/** The title after a table of cases or on a line of its own. */
const LATER_TITLE = /^\s*(?:[\])].*\()?\s*(?:"((?:[^"\\]|\\.)*)"|`((?:[^`\\]|\\.)*)`)\s*,/;

/** Returns every test under `test`. Titles of tables of cases keep their placeholders. */
export async function readTests(): Promise<NamedTest[]> {
  const found: NamedTest[] = [];
  for await (const file of glob("test/**/*.test.{ts,tsx}", { cwd: ROOT })) {
    const lines = (await readFile(join(ROOT, file), "utf8")).split("\n");
    for (const name of testNames(lines)) found.push({ name, file });
  }
  return found;
}

/** Returns the full names in a file. Groups are nested by indentation, which the formatter guarantees. */
function testNames(lines: string[]): string[] {
  const names: string[] = [];
  let groups: { indent: number; title: string }[] = [];
  for (const [index, line] of lines.entries()) {
    const [, spaces = "", kind] = BLOCK.exec(line) ?? [];
    if (kind === undefined) continue;
    const indent = spaces.length;
    groups = groups.filter((group) => group.indent < indent);
    const title = titleAt(lines, index, indent);
    if (title === undefined) continue;
    if (kind === "describe") groups.push({ indent, title });
    else names.push([...groups.map((group) => group.title), title].join(" > "));
  }
  return names;
}

/** Returns the title of the block that begins on this line. A long title follows on a later line. */
function titleAt(lines: string[], index: number, indent: number): string | undefined {
  const line = lines[index] ?? "";
  const here = TITLE.exec(line);
  if (here !== null) return here[1] ?? here[2];
  let inTable = OPEN_TABLE.test(line);
  for (const later of lines.slice(index + 1)) {
    const depth = later.length - later.trimStart().length;
    // A case may be a text, too.
    inTable &&= depth !== indent;
    if (inTable) continue;
    if (later.trim() !== "" && (depth < indent || (depth === indent && !/^\s*[\])]/.test(later)))) return undefined;
    if (depth > indent + 2) continue;
    const there = LATER_TITLE.exec(later);
    if (there !== null) return there[1] ?? there[2];
    if (depth === indent && /^\s*\]?\)?[;,]/.test(later)) return undefined;
  }
  return undefined;
}

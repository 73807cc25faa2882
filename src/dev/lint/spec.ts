/**
 * Checks `docs/spec-rows.json`, which maps each sentence of the interface to its test and its source file. Fails if a
 * test or file is missing, or if `docs/spec.md` is out of date. `--write` generates that page.
 */
import { access, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ROOT } from "../paths.ts";
import { readTests } from "./test-names.ts";

interface Row {
  section: string;
  says: string;
  /** The full name of a test. */
  test: string;
  /** The path of a source file. */
  file: string;
}

const PAGE = join(ROOT, "docs/spec.md");
const HEAD = `# From a sentence to its test and its code

Search this page for a sentence of the interface. Each row names the test that holds it and the file that does it. The page is
generated from \`docs/spec-rows.json\` by \`npm run spec\`; \`npm run check\` fails if a test or file of a row is missing.
`;

const rows: Row[] = JSON.parse(await readFile(join(ROOT, "docs/spec-rows.json"), "utf8"));
const files = new Map((await readTests()).map(({ name, file }) => [name, file]));
const problems: string[] = [];
for (const { says, test, file } of rows) {
  if (!files.has(test)) problems.push(`${says} — no test is named: ${test}`);
  if (!(await exists(file))) problems.push(`${says} — no such file: ${file}`);
}

const page = [HEAD, ...sections(rows)].join("\n");
if (process.argv.includes("--write")) await writeFile(PAGE, page);
else if ((await readFile(PAGE, "utf8")) !== page) problems.push("docs/spec.md is out of date: npm run spec");

for (const problem of problems) console.error(problem);
console.log(`${rows.length} rows of the specification, ${problems.length} problems`);
process.exitCode = problems.length === 0 ? 0 : 1;

function sections(all: Row[]): string[] {
  return [...Map.groupBy(all, ({ section }) => section)].map(
    ([section, own]) =>
      `## ${section}\n\n| what the interface says | the test that holds it | the file that does it |\n| --- | --- | --- |\n${own.map(line).join("\n")}\n`,
  );
}

function line({ says, test, file }: Row): string {
  return `| ${cell(says)} | ${cell(test)} ([file](../${files.get(test)})) | \`${file}\` |`;
}

function cell(text: string): string {
  return text.replaceAll(/[|<$*_`{}\\]/g, (mark) => `\\${mark}`);
}

async function exists(path: string): Promise<boolean> {
  return access(join(ROOT, path)).then(
    () => true,
    () => false,
  );
}

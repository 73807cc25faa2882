/** Refuses retired names in code, comments, test titles and file names. Other quoted texts are exempt. */
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../paths.ts";

/** The retired names with their replacements. */
const RETIRED: [RegExp, string][] = [
  [nameWith("standing"), "accountStatus, status or access"],
  [nameWith("payer"), "consumer"],
  [nameWith("talker"), "party or consumer"],
  [nameWith("keeper"), "owner or session"],
  [nameWith("harmless"), "idempotent or read-only"],
  [nameWith("noted"), "recorded or recordedInTransaction"],
  [nameWith("unnoted"), "unrecorded"],
  [/\b\w*obodys\b|\bNOBODY|\w[Nn]obody\w/, "a name for the code; nobody is for people"],
  [/\blook(?:s|ing)Again\b/, "retryOnReferenceViolation"],
  [
    /\b(?:views?Of|WHOLE_VIEW|(?:call|tool|version|content|number|campaign|contact|attempt|event|disclosed|lastCheck)Views?|\w+WithView)\b/i,
    "callerViewOf or project…",
  ],
  [/\b(?:caller|requester|holder|reader)'s view\b/, "caller view"],
  [/\b(?:[Bb]yPlace|[Pp]lacesOf|voicePlace|MAX_PLACES)\b/, "position, index or container"],
  [/\bpass(?:es)?\(|\bpass(?:es)?Of\b/, "advance"],
  [/\b(?:an?|one|each|every|per|first|second|last|next) pass(?:es)?\b/i, "round or run"],
  [
    /\bforget(?:s|ful|ting|[A-Z]\w*)?\b|\bforgotten\b(?! password)/i,
    "invalidate, erase, prune, unload, release or unlink",
  ],
];

/** Matches a word, its plural, and names with either: `keeper`, `keeperOf`, `rowKeepers`, `row-keeper`, `ROW_KEEPER`. */
function nameWith(word: string): RegExp {
  const [lower, upper, rest] = [word.charAt(0), word.charAt(0).toUpperCase(), word.slice(1)];
  const begins = `(?<![A-Za-z])[${lower}${upper}]${rest}s?(?![a-z])`;
  const follows = `(?<=[a-z])${upper}${rest}s?(?![a-z])`;
  return new RegExp(`${begins}|${follows}|(?<![A-Z])${word.toUpperCase()}S?(?![A-Z])`);
}

/** The SDK's generated file, whose comments are the API's own texts. */
const GENERATED = "packages/sdk/src/operations.ts";

/** Installed packages, and what their builds write. */
const NOT_WRITTEN = /(?:^|\/)(?:node_modules|dist)\//;

/**
 * A quoted text on one line, or a regular expression. The title of a test is not exempt, and neither is a template,
 * which may contain code.
 */
const QUOTED =
  /(?<!(?:\b(?:it|describe)(?:\.\w+)?|\]\))\()"(?:[^"\\]|\\.)*"|(?<=[\s(,=:])\/(?![/*])(?:[^/\\\n]|\\.)+\/[a-z]*/g;

/** Returns one sentence for each line that contains a retired name, and one for a retired name in the file's path. */
export function retiredNames(file: string, text: string): string[] {
  const inText = text
    .split("\n")
    .flatMap((line, index) => problems(line.replaceAll(QUOTED, '""'), `${file}:${index + 1}`));
  return [...problems(file, file), ...inText];
}

function problems(text: string, where: string): string[] {
  return RETIRED.flatMap(([name, instead]) => {
    const found = name.exec(text);
    return found === null ? [] : [`${where}: "${found[0]}" is retired; write ${instead}`];
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const found: string[] = [];
  for await (const file of glob("{src,packages,test,examples}/**/*.{ts,tsx,js,mjs,css}", { cwd: ROOT })) {
    if (NOT_WRITTEN.test(file) || file === GENERATED || /retired-names\.(?:test\.)?ts$/.test(file)) continue;
    found.push(...retiredNames(file, await readFile(join(ROOT, file), "utf8")));
  }
  for (const problem of found) console.error(problem);
  console.log(`${found.length} retired names`);
  process.exitCode = found.length > 0 ? 1 : 0;
}

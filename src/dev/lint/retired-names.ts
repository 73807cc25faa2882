/** Refuses retired names in code and comments and suggests their replacements. Quoted texts are exempt. */
import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { ROOT } from "../paths.ts";

/** The retired names with their replacements. */
const RETIRED: [RegExp, string][] = [
  [/\b(?:\w+Standing|[Ss]tanding(?:[A-Z]\w*|Of)|standing\()/, "accountStatus, status or access"],
  [/\b(?:Call|Open|Past|Budget)Payers?\b|\bpayerOf\b|\bbudget_\w*payers\b/, "consumer"],
  [/\b(?:\w*T|t)alkers?(?![a-z])/, "party or consumer"],
  [/\b(?:\w+K|[Kk])eeper\b/, "owner or session"],
  [/\bharmless\b|\bHARMLESS/, "idempotent or read-only"],
  [/\b(?:un)?noted(?:Once)?\b|\w+Noted\b|\bNOTED/, "recorded or recordedInTransaction"],
  [/\b\w*obodys\b|\bNOBODY|\w[Nn]obody\w/, "a name for the code; nobody is for people"],
  [/\blookingAgain\b/, "retryOnReferenceViolation"],
  [
    /\b(?:views?Of|WHOLE_VIEW|(?:call|tool|version|content|number|campaign|contact|attempt|event|disclosed|lastCheck)View)\b/,
    "callerViewOf or project…",
  ],
  [/\b(?:[Bb]yPlace|[Pp]lacesOf|voicePlace|MAX_PLACES)\b/, "position, index or container"],
  [/\bforget(?:s|ful|ting|[A-Z]\w*|\()|\bforgotten\b/i, "invalidate, erase, prune, unload, release or unlink"],
];

/** The SDK's generated file, whose comments are the API's own texts. */
const GENERATED = "packages/sdk/src/operations.ts";

/** Installed packages, and what their builds write. */
const NOT_WRITTEN = /(?:^|\/)(?:node_modules|dist)\//;

/** A quoted text on one line, or a regular expression. A template may contain code, so it is not exempt. */
const QUOTED = /"(?:[^"\\]|\\.)*"|(?<=[\s(,=:])\/(?![/*])(?:[^/\\\n]|\\.)+\/[a-z]*/g;

/** Returns one sentence for each line that contains a retired name. */
export function retiredNames(file: string, text: string): string[] {
  return text.split("\n").flatMap((line, index) => {
    const code = line.replaceAll(QUOTED, '""');
    return RETIRED.flatMap(([name, instead]) => {
      const found = name.exec(code);
      return found === null ? [] : [`${file}:${index + 1}: "${found[0]}" is retired; write ${instead}`];
    });
  });
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const problems: string[] = [];
  for await (const file of glob("{src,packages,test}/**/*.{ts,tsx}", { cwd: ROOT })) {
    if (NOT_WRITTEN.test(file) || file === GENERATED || /retired-names\.(?:test\.)?ts$/.test(file)) continue;
    problems.push(...retiredNames(file, await readFile(join(ROOT, file), "utf8")));
  }
  for (const problem of problems) console.error(problem);
  console.log(`${problems.length} retired names`);
  process.exitCode = problems.length > 0 ? 1 : 0;
}

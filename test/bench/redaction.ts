import { redactTexts } from "../../src/records/privacy/redaction/redact.ts";
import type { RedactKind } from "../../src/records/privacy/redaction/spans.ts";
import { noWork } from "../../src/records/privacy/redaction/work.ts";
import { WORST_TEXTS } from "../records/privacy/worst-texts.ts";
import { median, millisecondsOf } from "./figures.ts";

const ALL = new Set<RedactKind>(["card", "iban", "email", "phone", "ssn"]);
/** A visitor's longest message, a turn's, and as many as four turns hold. */
const LENGTHS = [4_000, 20_000, 80_000];
const TIMES = 5;

/** What redaction of the worst texts takes: in proportion to their length, the last two columns are alike. */
export async function benchRedaction(): Promise<void> {
  console.log(`redaction, ms for ${LENGTHS.map((chars) => chars.toLocaleString("en")).join(", ")} characters; µs each`);
  for (const [what, worst] of Object.entries(WORST_TEXTS)) {
    const times: number[] = [];
    for (const chars of LENGTHS) {
      const text = worst(chars);
      const runs: number[] = [];
      for (let n = 0; n < TIMES; n++) runs.push(await millisecondsOf(async () => redactTexts([text], ALL)));
      times.push(median(runs));
    }
    const work = noWork();
    redactTexts([worst(LENGTHS[0] ?? 0)], ALL, work);
    const each = times.map((ms, n) => ((1_000 * ms) / (LENGTHS[n] ?? 1)).toFixed(2));
    console.log(
      `  ${what.padEnd(34)} ${times.map((ms) => ms.toFixed(1).padStart(8)).join("")}   ${each.join(" ")} µs, ` +
        `${work.windows} windows, ${work.parses} parses in the first`,
    );
  }
}

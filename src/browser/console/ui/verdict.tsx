import { analysis as t } from "../texts/index.ts";
import type { Tone } from "./tone.ts";
import { Badge } from "./values.tsx";

export type Verdict = keyof typeof t.verdicts;

const TONES: Record<Verdict, Tone> = { success: "ok", failure: "bad", unknown: "idle" };

/** Shows whether a conversation met its agent's goals. */
export function VerdictBadge(props: { of: Verdict }) {
  return <Badge tone={TONES[props.of]}>{t.verdicts[props.of]}</Badge>;
}

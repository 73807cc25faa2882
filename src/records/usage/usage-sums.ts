import { MINUTE_MS } from "../../kernel/time.ts";
import type { UsageSum } from "../ledger/usage.ts";

/** Returns the sums of a group as clients see them. */
export function sumsShown(sum: (name: UsageSum) => number) {
  return {
    calls: sum("calls"),
    answered: sum("answered"),
    conversations: sum("conversations"),
    minutes: Math.round((sum("talk_ms") / MINUTE_MS) * 1_000) / 1_000,
    input_tokens: sum("input_tokens"),
    cached_tokens: sum("cached_tokens"),
    output_tokens: sum("output_tokens"),
    speech_chars: sum("speech_chars"),
    carrier_s: sum("carrier_s"),
    tool_runs: sum("tool_runs"),
    cost: sum("cost_micros"),
    cost_incomplete: sum("cost_incomplete"),
  };
}

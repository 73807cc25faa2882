import { accountMeter } from "../../../kernel/durable/objects.ts";
import type { SessionIdentity } from "../../../kernel/http/context.ts";
import type { ConversationRow } from "../store/conversation-row.ts";

/** Why the account's rates refuse a tool run, worded for a model, and when they will admit it. */
export interface RateRefusal {
  sentence: string;
  retryAfterMs: number;
}

interface Dependencies {
  env: Pick<Env, "ACCOUNT_METER">;
  store: { identity: SessionIdentity; existing: Pick<ConversationRow, "id"> };
  /** ms */
  now(): number;
}

/** Counts tool runs in the account's meter. */
export class RunCounter {
  readonly #deps: Dependencies;
  /** The last refusal, and until when (ms) further requests would be refused too. */
  #refused: { conversation: string; limit: "minute" | "day"; until: number } | null = null;

  constructor(deps: Dependencies) {
    this.#deps = deps;
  }

  /** Counts a run. Returns why it is refused; null if it is admitted. */
  async count(): Promise<RateRefusal | null> {
    const { env, store, now } = this.#deps;
    const { identity } = store;
    const { id: conversation } = store.existing;
    if (this.#refused?.conversation !== conversation || now() >= this.#refused.until) {
      const runner = { conversation, visitor: visitorOf(identity) };
      const admission = await accountMeter(env, identity.account).admitToolRun(runner);
      if (admission.outcome === "admitted") return null;
      const { limit, retryAfterMs } = admission;
      this.#refused = { conversation, limit, until: now() + retryAfterMs };
    }
    const { limit, until } = this.#refused;
    const when = limit === "day" ? "today; try again tomorrow" : "in this minute; try again in a minute";
    return { sentence: `too many tool calls ${when}`, retryAfterMs: Math.max(0, until - now()) };
  }
}

/** Returns the person who is counted across all conversations: a widget's visitor or a tester, but not a caller. */
function visitorOf(identity: SessionIdentity): string | null {
  return identity.kind === "call" ? null : `${identity.visitor.type} ${identity.visitor.id}`;
}

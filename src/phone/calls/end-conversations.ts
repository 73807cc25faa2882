import pMap from "p-map";
import { conversationObject } from "../../kernel/durable/objects.ts";
import type { Bindings } from "../../kernel/http/context.ts";
import { logError } from "../../kernel/log.ts";

/** Conversations notified at a time. */
const AT_ONCE = 50;

type Held = Pick<Bindings, "CONVERSATION" | "SANDBOX_CONVERSATION">;
interface Context {
  env: Held;
  account: string;
}
/** A call that may have a conversation. */
interface HeldCall {
  call_id: string;
  provider: string;
}

/**
 * Notifies the conversations of ended calls, so that they end even if their runtime never reports the end. Failures are
 * logged and never thrown, because a conversation also detects the end itself.
 */
export async function endConversations(
  { env, account }: Context,
  calls: (HeldCall & { outcome?: string | null })[],
): Promise<void> {
  const notify = (call: HeldCall & { outcome?: string | null }) =>
    quietly(account, call, () =>
      conversationObject(env, account, call.call_id).callEnded(call.outcome === "machine" ? "machine" : null),
    );
  await pMap(
    calls.filter((call) => isHeld(env, call)),
    notify,
    { concurrency: AT_ONCE },
  );
}

/**
 * Notifies a call's conversation that a machine answered: its agent falls silent, and the record will say so. Failures
 * are logged and never thrown.
 */
export async function silenceForMachine({ env, account }: Context, call: HeldCall): Promise<void> {
  if (!isHeld(env, call)) return;
  await quietly(account, call, () => conversationObject(env, account, call.call_id).machineAnswered());
}

function isHeld({ SANDBOX_CONVERSATION }: Held, { provider }: HeldCall): boolean {
  return provider !== "sandbox" || SANDBOX_CONVERSATION !== "off";
}

async function quietly(account: string, { call_id }: HeldCall, notify: () => Promise<void>): Promise<void> {
  try {
    await notify();
  } catch (error) {
    logError("conversation", error, { account, call: call_id });
  }
}

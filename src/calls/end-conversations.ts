import pMap from "p-map";
import { conversationObject } from "../durable/objects.ts";
import type { Bindings } from "../http/context.ts";
import { logError } from "../log.ts";

/** Conversations told at a time. */
const AT_ONCE = 50;

/**
 * Tells the conversations of answered calls that their calls are over, so that one ends also where its runtime never
 * says so. Best effort, since the conversation finds out by itself too: what fails is logged, never thrown.
 */
export async function endConversations(
  env: Pick<Bindings, "CONVERSATION" | "SANDBOX_CONVERSATION">,
  account: string,
  calls: { call_id: string; provider: string }[],
): Promise<void> {
  const held = calls.filter(({ provider }) => provider !== "sandbox" || env.SANDBOX_CONVERSATION !== "off");
  const tell = async ({ call_id }: { call_id: string }) => {
    try {
      await conversationObject(env, account, call_id).callEnded();
    } catch (error) {
      logError("conversation", error, { account, call: call_id });
    }
  };
  await pMap(held, tell, { concurrency: AT_ONCE });
}

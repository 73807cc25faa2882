import { guestNetwork } from "../../kernel/http/rate-limits.ts";
import type { ModelConsumer } from "./budgets.ts";
import type { CallBudgets } from "./call-budgets.ts";
import type { LiveLease } from "./live-lease.ts";

/**
 * The number of a conversation's requests reserved in advance: the next, and one more in case it is interrupted or
 * retried.
 */
const AHEAD = 2;

/**
 * Returns the consumer of a conversation by its lease. On a call it includes the API key that originated it, and for a
 * customer's own runtime with a visitor the runtime's key.
 */
export function modelConsumerOf(
  { id, object, agent_id, campaign_id, api_key_id, holder }: LiveLease,
  calls: Pick<CallBudgets, "consumerOf">,
): ModelConsumer {
  const consumer = { agent_id, campaign_id, api_key_id, widget_key_id: null, guest: false, network: null };
  // Nobody waits for a test run, so each of its requests asks by itself.
  const ahead = object.type === "test_run" ? 0 : AHEAD;
  const conversation = { id, object: objectName(object), visitor: null, ahead };
  if (holder.type === "call") {
    // The object of a call's conversation is named after the call.
    const api_key_id = calls.consumerOf(object.id)?.api_key_id ?? null;
    return Object.assign(conversation, { consumer: Object.assign(consumer, { api_key_id }) });
  }
  if (holder.type === "member") {
    const api_key_id = "key_id" in holder.credential ? holder.credential.key_id : null;
    return Object.assign(conversation, { consumer: Object.assign(consumer, { api_key_id }) });
  }
  const { visitor_id: visitor, visitor_type, widget_key_id, address } = holder;
  const guest = visitor_type === "guest";
  const network = guest && address !== null ? guestNetwork(address) : null;
  return Object.assign(conversation, { visitor, consumer: Object.assign(consumer, { widget_key_id, guest, network }) });
}

const TEST_RUN = "test_run/";

/** Returns the budget ledger's name for the object of a conversation; for a test run it includes the kind. */
const objectName = ({ type, id }: LiveLease["object"]): string => (type === "test_run" ? TEST_RUN + id : id);

/** Returns the test run that an object is; null for the object of a conversation. */
export const testRunNamed = (name: string): string | null =>
  name.startsWith(TEST_RUN) ? name.slice(TEST_RUN.length) : null;

/** The consumer of an analysis, with an id of its own. */
export interface AnalysisConsumer {
  id: string;
  /** The object that runs it, by its name within the account. */
  object: string;
  agent_id: string;
  campaign_id: string | null;
  api_key_id: string | null;
}

/** Returns the consumer of an analysis: like a conversation's, but without visitor and widget key. */
export function analysisConsumer({ id, object, agent_id, campaign_id, api_key_id }: AnalysisConsumer): ModelConsumer {
  const consumer = { agent_id, campaign_id, api_key_id, widget_key_id: null, guest: false, network: null };
  return { id, object, visitor: null, ahead: 0, consumer };
}

import { guestNetwork } from "../../kernel/http/rate-limits.ts";
import type { ModelConsumer } from "./budgets.ts";
import type { CallBudgets } from "./call-budgets.ts";
import type { LiveLease } from "./live-lease.ts";

/**
 * The number of a conversation's requests that are reserved in advance: the next one, and another in case it is
 * interrupted or retried.
 */
const AHEAD = 2;

/**
 * Returns the consumer of a conversation from its lease. For a call it includes the API key that originated the call;
 * for a visitor whose conversation runs in a customer's own runtime, that runtime's key.
 */
export function modelConsumerOf(
  { id, object, agent_id, campaign_id, api_key_id, holder }: LiveLease,
  calls: Pick<CallBudgets, "consumerOf">,
): ModelConsumer {
  const consumer = { agent_id, campaign_id, api_key_id, widget_key_id: null, guest: false, network: null };
  // No person waits for a test run, so it can ask before each of its requests.
  const ahead = object.type === "test_run" ? 0 : AHEAD;
  const conversation = { id, object: objectName(object), visitor: null, ahead };
  if (holder.type === "call") {
    // The object of a call's conversation has the call's id as its name.
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

/** Returns the name that the budget ledger uses for a conversation's object. A test run's name includes the kind. */
const objectName = ({ type, id }: LiveLease["object"]): string => (type === "test_run" ? TEST_RUN + id : id);

/** Returns the test run that a name refers to; null if it refers to a conversation. */
export const testRunNamed = (name: string): string | null =>
  name.startsWith(TEST_RUN) ? name.slice(TEST_RUN.length) : null;

/** The consumer of an analysis, which has an id of its own. */
export interface AnalysisConsumer {
  id: string;
  /** The object that runs the analysis, by its name within the account. */
  object: string;
  agent_id: string;
  campaign_id: string | null;
  api_key_id: string | null;
}

/** Returns the consumer of an analysis. Unlike a conversation's, it has no visitor and no widget key. */
export function analysisConsumer({ id, object, agent_id, campaign_id, api_key_id }: AnalysisConsumer): ModelConsumer {
  const consumer = { agent_id, campaign_id, api_key_id, widget_key_id: null, guest: false, network: null };
  return { id, object, visitor: null, ahead: 0, consumer };
}

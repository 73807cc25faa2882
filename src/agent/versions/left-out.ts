import type { AccountStore } from "../../kernel/db/account-store.ts";
import { combined, mapped, type Read } from "../../kernel/db/statement.ts";
import { contextOf, type LeftOut } from "../agents/context.ts";
import type { AgentContent } from "./content.ts";
import { contentReads, foundAgent } from "./content-reads.ts";
import { taken } from "./taken.ts";

/**
 * Divides a content's playbooks and FAQs into those that conversations get and those that don't fit after `used`
 * characters of documents.
 */
export function contextOfContent({ playbooks, faqs }: Pick<AgentContent, "playbooks" | "faqs">, used = 0) {
  return contextOf({ playbooks: playbooks.map(({ body }) => body), faqs: faqs.map(({ body }) => body) }, used);
}

/**
 * Returns a read of the playbooks and FAQs that the agent's conversations leave out because they don't fit, in the
 * version `pin` or in what is in force. Empty if there is no such content.
 */
export function leftOutRead(store: AccountStore, agent_id: string, pin: number | null): Read<LeftOut[]> {
  return mapped(combined(...contentReads(store, agent_id, pin === null ? [] : [pin])), (read) => {
    const agent = foundAgent(read);
    const found = agent === null ? null : taken(agent, pin ?? "live");
    return found === null || typeof found === "string" ? [] : contextOfContent(found.content).left_out;
  });
}

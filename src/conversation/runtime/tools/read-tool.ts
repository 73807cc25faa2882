import { and, eq } from "drizzle-orm";
import type { Install } from "../../../agent/tools/run/run-tool.ts";
import type { AccountStore } from "../../../kernel/db/account-store.ts";
import { agentTools, integrationInstalls, tools } from "../../../kernel/db/schema/index.ts";

/** A tool as it is set up now, and the integrations it may name. */
export interface FoundTool {
  tool: typeof tools.$inferSelect;
  installs: Install[];
}

/** A tool that an agent is about to use, or why it may not be used any more. One D1 round trip. */
export async function readTool(
  store: AccountStore,
  { name, agent_id }: { name: string; agent_id: string },
): Promise<FoundTool | { refused: string }> {
  const isAttachment = and(eq(agentTools.agent_id, agent_id), eq(agentTools.tool_name, name));
  const [tool, attachment, installs] = await store.read(
    store.first(tools, { where: eq(tools.name, name) }),
    store.first(agentTools, { where: isAttachment, columns: ["enabled"] }),
    store.select(integrationInstalls),
  );
  if (!tool) return { refused: "the tool no longer exists" };
  if (!attachment) return { refused: "the tool was detached from the agent" };
  return attachment.enabled ? { tool, installs } : { refused: "the tool was switched off for the agent" };
}

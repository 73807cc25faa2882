import type { Tool } from "../tool.ts";
import { accountTools } from "./account.ts";
import { agentTools } from "./agents.ts";
import { callTools } from "./calls.ts";
import { campaignTools } from "./campaigns.ts";
import { conversationTools } from "./conversations.ts";
import { knowledgeTools } from "./knowledge.ts";
import { modelTools } from "./models.ts";
import { tryAgent } from "./try-agent.ts";

export const TOOLS: readonly Tool[] = [
  ...agentTools,
  tryAgent,
  ...knowledgeTools,
  ...modelTools,
  ...campaignTools,
  ...callTools,
  ...conversationTools,
  ...accountTools,
];

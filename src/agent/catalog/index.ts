import { PURE_TOOLS } from "../tools/built-in-names.ts";
import { faqs } from "./faqs.ts";
import { aiIntegrations } from "./integrations/ai.ts";
import { commerceIntegrations } from "./integrations/commerce.ts";
import { customIntegrations } from "./integrations/custom.ts";
import { customersIntegrations } from "./integrations/customers.ts";
import { dataIntegrations } from "./integrations/data.ts";
import { voiceIntegrations } from "./integrations/voices.ts";
import { workIntegrations } from "./integrations/work.ts";
import { growthPlaybooks } from "./playbooks/growth.ts";
import { servicePlaybooks } from "./playbooks/service.ts";
import { customTemplates } from "./templates/custom.ts";
import { operationsTemplates } from "./templates/operations.ts";
import { salesTemplates } from "./templates/sales.ts";
import { supportTemplates } from "./templates/support.ts";
import { testsFor } from "./templates/tests.ts";
import { commerceTools } from "./tools/commerce.ts";
import { conversationTools } from "./tools/conversation.ts";
import { customerTools } from "./tools/customers.ts";
import { messageTools } from "./tools/messages.ts";
import { schedulingTools } from "./tools/scheduling.ts";
import type { CatalogTemplate, ShippedTemplate } from "./types.ts";

const playbooks = [...servicePlaybooks, ...growthPlaybooks];

/**
 * Adds to a template its tests and every tool that its playbooks name, so that an installed agent lacks no tool. Tools
 * that are built into every agent are not attached.
 */
function shipped(template: CatalogTemplate): ShippedTemplate {
  const named = playbooks.flatMap(({ name, tool_names }) => (template.playbooks.includes(name) ? tool_names : []));
  const tools = [...template.tools, ...named].filter((name) => !PURE_TOOLS.includes(name));
  const whole = Object.assign({}, template, { tools: [...new Set(tools)] });
  return Object.assign(whole, { tests: testsFor(whole) });
}

/** The catalogue that the service ships. After a change, increase `version`, so that existing accounts are updated. */
export const CATALOG = {
  version: 4,
  tools: [...conversationTools, ...schedulingTools, ...customerTools, ...commerceTools, ...messageTools],
  /** Tools that are no longer shipped. */
  retired_tools: ["collect_digits", "send_payment_link", ...PURE_TOOLS],
  playbooks,
  faqs,
  integrations: [
    ...customersIntegrations,
    ...workIntegrations,
    ...commerceIntegrations,
    ...dataIntegrations,
    ...aiIntegrations,
    ...voiceIntegrations,
    ...customIntegrations,
  ],
  templates: [...supportTemplates, ...salesTemplates, ...operationsTemplates, ...customTemplates].map(shipped),
};

import { faqs } from "./faqs.ts";
import { aiIntegrations } from "./integrations/ai.ts";
import { commerceIntegrations } from "./integrations/commerce.ts";
import { customersIntegrations } from "./integrations/customers.ts";
import { dataIntegrations } from "./integrations/data.ts";
import { workIntegrations } from "./integrations/work.ts";
import { growthPlaybooks } from "./playbooks/growth.ts";
import { servicePlaybooks } from "./playbooks/service.ts";
import { customTemplates } from "./templates/custom.ts";
import { operationsTemplates } from "./templates/operations.ts";
import { salesTemplates } from "./templates/sales.ts";
import { supportTemplates } from "./templates/support.ts";
import { businessTools } from "./tools/business.ts";
import { callTools } from "./tools/calls.ts";
import { schedulingTools } from "./tools/scheduling.ts";

/** What the system ships. A change of it takes a higher version, which brings it to the accounts there are. */
export const CATALOG = {
  version: 1,
  tools: [...callTools, ...schedulingTools, ...businessTools],
  playbooks: [...servicePlaybooks, ...growthPlaybooks],
  faqs,
  integrations: [
    ...customersIntegrations,
    ...workIntegrations,
    ...commerceIntegrations,
    ...dataIntegrations,
    ...aiIntegrations,
  ],
  templates: [...supportTemplates, ...salesTemplates, ...operationsTemplates, ...customTemplates],
};

import type { CatalogFaq, CatalogIntegration, CatalogPlaybook, CatalogTemplate, CatalogTool } from "./types.ts";

export const CATALOG: {
  version: number;
  tools: CatalogTool[];
  playbooks: CatalogPlaybook[];
  faqs: CatalogFaq[];
  integrations: CatalogIntegration[];
  templates: CatalogTemplate[];
} = { version: 1, tools: [], playbooks: [], faqs: [], integrations: [], templates: [] };

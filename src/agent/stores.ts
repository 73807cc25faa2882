import { z } from "zod";
import { secretsContext } from "../kernel/db/seal-contexts.ts";
import { jsonObject } from "../kernel/http/fields.ts";
import { bodyFields, CONFIGURATION, type RowTables } from "../kernel/stores/tables.ts";
import { newAgentFields, versionedFields } from "./agents/contract.ts";
import { CATALOG } from "./catalog/index.ts";
import { installIntegration } from "./integrations/contract.ts";
import { faqFields, playbookFields, snakeName } from "./item-fields.ts";
import { newTestFields } from "./tests/fields.ts";
import { createTool } from "./tools/contract.ts";

const copied = { ...CONFIGURATION, copy: true } as const;
const hash = z.string().regex(/^[0-9a-f]{64}$/);

/** The tables of D1 with what speaks and what it knows. */
export const AGENT_ROWS = {
  agents: { ...copied, borders: newAgentFields.shape },
  agent_prompts: copied,
  version_bodies: { ...copied, borders: { hash } },
  agent_versions: { ...copied, borders: { hash, fields: versionedFields.partial() } },
  // One that was made of a conversation goes with it.
  agent_tests: {
    by: ["conversation_id"],
    columns: ["conversation_id"],
    erasure: "delete",
    copy: true,
    borders: newTestFields.shape,
  },
  tools: { ...copied, borders: bodyFields(createTool) },
  playbooks: { ...copied, borders: playbookFields.shape },
  faqs: { ...copied, borders: faqFields.shape },
  agent_tools: { ...copied, signed: ["position"], borders: { tool_name: snakeName, config: jsonObject } },
  agent_playbooks: { ...copied, signed: ["position"] },
  agent_faqs: { ...copied, signed: ["position"] },
  integration_installs: {
    ...copied,
    sealed: { secrets: secretsContext },
    borders: {
      id: z.enum(CATALOG.integrations.map(({ id }) => id)),
      params: bodyFields(installIntegration).params ?? z.never(),
    },
  },
} as const satisfies Partial<RowTables>;

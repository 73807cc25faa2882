import { z } from "zod";
import { newAgentFields, versionedFields } from "../../agent/agents/contract.ts";
import { CATALOG } from "../../agent/catalog/index.ts";
import { accountDisclosure } from "../../agent/disclosure/fields.ts";
import { installIntegration } from "../../agent/integrations/contract.ts";
import { faqFields, playbookFields, snakeName } from "../../agent/item-fields.ts";
import { newTestFields } from "../../agent/tests/fields.ts";
import { createTool } from "../../agent/tools/contract.ts";
import type { Border } from "../../kernel/backup/declared.ts";
import type { D1Table } from "../../kernel/db/personal-data.ts";
import { e164, jsonObject, label, timestamp } from "../../kernel/http/fields.ts";
import { updateCallSettings } from "../../phone/call-settings/contract.ts";
import { PROVIDERS } from "../../phone/carriers/carrier.ts";
import { addDoNotCall } from "../../phone/do-not-call/contract.ts";
import { EVENT_TYPES } from "../../records/events/types.ts";
import { newPrice } from "../../records/prices/contract.ts";
import { createWebhook } from "../../records/webhooks/contract.ts";
import { createApiKey } from "../api-keys/contract.ts";
import { createBudget } from "../budgets/contract.ts";
import { updatePrivacy } from "../privacy/contract.ts";
import { updateSignInPolicy } from "../sign-in-policy/contract.ts";
import { allowlistEntry, InvalidOrigin } from "../visitors/origins.ts";
import { allowlist, keyLimits, widgetSettings } from "../visitors/widget-fields.ts";

type Borders = Readonly<Record<string, Border>>;

const sha256 = z.string().regex(/^[0-9a-f]{64}$/);
const last8 = z.string().length(8);
const day = z.iso.date();
/** An email address as members have one; some identity providers give none. */
const email = z.union([z.literal(""), z.email().max(254)]);
const provider = z.enum(PROVIDERS);
/** An allowlist as it is stored; whether an entry is broader than one site is judged where an entry is added. */
const storedAllowlist = allowlist.refine((entries) => entries.every(isCanonical));

function isCanonical(entry: string): boolean {
  try {
    return allowlistEntry(entry, () => false) === entry;
  } catch (error) {
    if (error instanceof InvalidOrigin) return false;
    throw error;
  }
}

/** The schemas of a body's fields. @throws TypeError if the endpoint takes no object */
function fieldsOf({ body }: { body?: z.ZodType }): Borders {
  if (!(body instanceof z.ZodObject)) throw new TypeError("the body is no object");
  return body.shape as Record<string, z.ZodType>;
}

/**
 * What the API takes for each column that one of its requests can set, by D1 table: a restore takes nothing else. Columns
 * that are not here are the service's own, or have one of few values by their schema.
 */
export const D1_BORDERS: Readonly<Partial<Record<D1Table, Borders>>> = {
  agents: newAgentFields.shape,
  agent_versions: { hash: sha256, fields: versionedFields.partial() },
  version_bodies: { hash: sha256 },
  agent_tests: newTestFields.shape,
  tools: fieldsOf(createTool),
  playbooks: playbookFields.shape,
  faqs: faqFields.shape,
  agent_tools: { tool_name: snakeName, config: jsonObject },
  telephony_providers: { provider, label },
  phone_numbers: { e164, provider },
  integration_installs: {
    id: z.enum(CATALOG.integrations.map(({ id }) => id)),
    params: fieldsOf(installIntegration).params ?? z.never(),
  },
  budgets: fieldsOf(createBudget),
  // A change may leave out parts of what is stored whole.
  call_settings: Object.assign({}, fieldsOf(updateCallSettings), { disclosure: accountDisclosure }),
  privacy_settings: fieldsOf(updatePrivacy),
  sign_in_policies: fieldsOf(updateSignInPolicy),
  prices: Object.assign({ since: timestamp }, newPrice.shape),
  widget_settings: widgetSettings.shape,
  do_not_call: { phone_number: e164, reason: fieldsOf(addDoNotCall).reason ?? z.never() },
  api_keys: Object.assign({ hash: sha256, last8 }, fieldsOf(createApiKey)),
  widget_keys: { name: label, hash: sha256, last8, domain_allowlist: storedAllowlist, limits: keyLimits.partial() },
  invitations: { email, hash: sha256 },
  webhooks: fieldsOf(createWebhook),
  removed_members: { email },
  account_days: { day },
  pending_events: { type: z.enum(EVENT_TYPES) },
};

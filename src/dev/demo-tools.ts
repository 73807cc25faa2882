import type { ApiClient } from "./client.ts";
import { KEYS } from "./vendors/index.ts";

/** A shipped tool, and the integration whose key it uses; on this machine the shop is a service of one's own. */
export const DEMO_TOOL = "look_up_order";
const VENDOR = "shopify";
const OWN = "custom_api";

interface Tool {
  implementation_config: Record<string, unknown>;
}

/**
 * Has the agent use a shipped tool against the stand-in for its vendor that `npm start` serves; gives what puts the tool
 * back to where it asked before.
 */
export async function attachDemoTool(owner: ApiClient, agentId: string, base: string): Promise<() => Promise<void>> {
  const { shop_domain, access_token } = KEYS[VENDOR] ?? {};
  const params = { base_url: `${base}/demo/vendor/${shop_domain}` };
  await owner.post(`/api/v1/integrations/${OWN}/install`, { params, secrets: { access_token } });
  const { implementation_config: before } = await owner.get<Tool>(`/api/v1/tools/${DEMO_TOOL}`);
  const text = JSON.stringify(before)
    .replace(/https?:\/\/[^"{]*\{\{shopify\.shop_domain\}\}/, `{{${OWN}.base_url}}`)
    .replaceAll(`{{${VENDOR}.`, `{{${OWN}.`);
  await owner.send("PUT", `/api/v1/tools/${DEMO_TOOL}`, { implementation_config: JSON.parse(text) });
  await owner.post(`/api/v1/agents/${agentId}/tools`, { tool_name: DEMO_TOOL });
  return () => owner.send("PUT", `/api/v1/tools/${DEMO_TOOL}`, { implementation_config: before });
}

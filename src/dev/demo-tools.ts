import type { Switchboard } from "../../packages/sdk/src/index.ts";
import { KEYS } from "./vendors/index.ts";

/** A shipped tool, and the integration whose key it uses. On this machine, the shop is reached as a custom API. */
export const DEMO_TOOL = "look_up_order";
const VENDOR = "shopify";
const OWN = "custom_api";

/**
 * Attaches a shipped tool to the agent and points it at the stand-in for its vendor that `npm start` serves. Returns a
 * function that restores the tool's own address.
 */
export async function attachDemoTool(owner: Switchboard, agentId: string, base: string): Promise<() => Promise<void>> {
  const { shop_domain, access_token } = KEYS[VENDOR] ?? {};
  const params = { base_url: `${base}/demo/vendor/${shop_domain}` };
  await owner.integrations.install(OWN, { params, secrets: { access_token: access_token ?? null } });
  const { implementation_config: before } = await owner.tools.get(DEMO_TOOL);
  const text = JSON.stringify(before)
    .replace(/https?:\/\/[^"{]*\{\{shopify\.shop_domain\}\}/, `{{${OWN}.base_url}}`)
    .replaceAll(`{{${VENDOR}.`, `{{${OWN}.`);
  await owner.tools.update(DEMO_TOOL, { implementation_config: JSON.parse(text) });
  await owner.agents.setTool(agentId, { tool_name: DEMO_TOOL });
  return async () => void (await owner.tools.update(DEMO_TOOL, { implementation_config: before }));
}

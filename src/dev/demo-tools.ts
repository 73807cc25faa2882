import type { ApiClient } from "./client.ts";
import { KEYS } from "./vendors/index.ts";

/** A shipped tool, and the integration whose key it uses. */
export const DEMO_TOOL = "look_up_order";
const INTEGRATION = "shopify";
const PARAMS = ["shop_domain"];

interface Tool {
  implementation_config: { url: string } & Record<string, unknown>;
}

/**
 * Has the agent use a shipped tool against the stand-in for its vendor that `npm start` serves; gives what puts the tool
 * back to where it asked before.
 */
export async function attachDemoTool(owner: ApiClient, agentId: string, base: string): Promise<() => Promise<void>> {
  const keys = Object.entries(KEYS[INTEGRATION] ?? {});
  const [params, secrets] = [true, false].map((isParam) =>
    Object.fromEntries(keys.filter(([name]) => PARAMS.includes(name) === isParam)),
  );
  await owner.post(`/api/v1/integrations/${INTEGRATION}/install`, { params, secrets });
  const { implementation_config: before } = await owner.get<Tool>(`/api/v1/tools/${DEMO_TOOL}`);
  const url = before.url.replace(/^https:\/\//, `${base}/demo/vendor/`);
  await owner.send("PUT", `/api/v1/tools/${DEMO_TOOL}`, { implementation_config: { ...before, url } });
  await owner.post(`/api/v1/agents/${agentId}/tools`, { tool_name: DEMO_TOOL });
  return () => owner.send("PUT", `/api/v1/tools/${DEMO_TOOL}`, { implementation_config: before });
}

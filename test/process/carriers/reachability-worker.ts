import { runtimeReachable, type Surroundings, webhookReachable } from "../../../src/phone/carriers/reachability.ts";

/** Requests the given address with the runtime's own `fetch`. */
export default {
  async fetch(request: Request): Promise<Response> {
    const surroundings: Surroundings = { ...(await request.json<Omit<Surroundings, "fetch">>()), fetch };
    const webhook = webhookReachable(surroundings);
    return Response.json({ webhook: await webhook, runtime: await runtimeReachable(surroundings, webhook) });
  },
};

import { EgressRefused, fetchOut, type OutLimits, type OutRequest } from "../../../src/kernel/egress/fetch-out.ts";

/** Sends the given request, with the runtime's own `fetch`. */
export default {
  async fetch(incoming: Request): Promise<Response> {
    const { request, limits } = await incoming.json<{ request: OutRequest; limits: Omit<OutLimits, "fetch"> }>();
    try {
      return Response.json({ answer: await fetchOut(request, { fetch, ...limits }) });
    } catch (error) {
      return Response.json({ refused: error instanceof EgressRefused ? error.message : `unexpected: ${error}` });
    }
  },
};

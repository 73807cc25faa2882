/** Runs the service and reports which of its files were visited since the last report; see `ways`. */
import service from "../../../src/index.ts";

export * from "../../../src/index.ts";

const PATH = "/bench/visits";

export default {
  async fetch(request, env, context) {
    if (new URL(request.url).pathname !== PATH) return service.fetch(request, env, context);
    const { visits } = globalThis as typeof globalThis & { visits?: number[] };
    return Response.json(request.method === "POST" ? visits?.splice(0) : visits?.length);
  },
} satisfies ExportedHandler<Env>;

/** The service with a header that reports the storage requests of each answer. */
import service from "../../../src/index.ts";
import { countingBindings } from "./count-round-trips.ts";

export * from "../../../src/index.ts";

export default {
  async fetch(request, env, context) {
    const trips = { d1: 0, replica: 0, objects: 0 };
    const answer = await service.fetch(request, countingBindings(env, trips), context);
    const headers = new Headers(answer.headers);
    headers.set("x-round-trips", JSON.stringify(trips));
    return new Response(answer.body, { status: answer.status, headers });
  },
} satisfies ExportedHandler<Env>;

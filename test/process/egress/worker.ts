import { answerOf, type Order } from "./order.ts";

/** Carries out the given order with the runtime's own `fetch`. */
export default {
  async fetch(incoming: Request): Promise<Response> {
    return Response.json(await answerOf(await incoming.json<Order>(), fetch));
  },
};

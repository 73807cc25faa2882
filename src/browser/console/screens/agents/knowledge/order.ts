import { createEffect, createSignal } from "solid-js";
import { api, type Body, data } from "../../../api/client.ts";
import { inOrder } from "../../../api/in-order.ts";
import { notifyFailure } from "../../../ui/toast.tsx";
import { useAgent } from "../agent-context.ts";
import { agentChanged } from "../queries.ts";

export type Step = -1 | 1;

/**
 * Creates the order of one kind of the open agent's attachments, by name or ID. A move is shown before the service
 * confirms it, because another move undoes it. It is reverted if the service refuses it.
 */
export function createOrder(kind: keyof Body<"AgentOrder">, saved: () => string[]) {
  const agent = useAgent();
  const [wanted, setWanted] = createSignal<string[]>();
  const send = inOrder();

  const shown = () => {
    const order = wanted();
    if (!order) return saved();
    const found = saved();
    return [...order.filter((name) => found.includes(name)), ...found.filter((name) => !order.includes(name))];
  };
  createEffect(() => {
    if (wanted() && shown().every((name, index) => name === saved()[index])) setWanted(undefined);
  });

  const move = async (name: string, step: Step) => {
    const order = moved(shown(), name, step);
    const { id } = agent();
    setWanted(order);
    try {
      const saved = await send(() =>
        data(api.POST("/api/v1/agents/{id}/order", { params: { path: { id } }, body: { [kind]: order } })),
      );
      await agentChanged(saved);
    } catch (error) {
      if (wanted() === order) setWanted(undefined);
      notifyFailure(error);
    }
  };
  return { shown, move };
}

function moved(names: string[], name: string, step: Step): string[] {
  const others = names.filter((other) => other !== name);
  return others.toSpliced(names.indexOf(name) + step, 0, name);
}

import { createSignal, Show } from "solid-js";
import type { Body } from "../../../api/client.ts";
import { inService as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { awaitsService } from "../../../ui/in-service.ts";
import { AgentContext } from "../agent-context.ts";
import { PublishDialog } from "./publish-dialog.tsx";

/** The button that puts into service an agent that is a draft or was never published. */
export function PutIntoService(props: { agent: Body<"Agent"> }) {
  const [isOpen, setOpen] = createSignal(false);
  return (
    <>
      <Show when={awaitsService(props.agent)}>
        <Button needs="publishAgent" kind="primary" onClick={() => setOpen(true)}>
          {t.putIntoService}
        </Button>
      </Show>
      <Show when={isOpen()}>
        <AgentContext.Provider value={() => props.agent}>
          <PublishDialog onClose={() => setOpen(false)} />
        </AgentContext.Provider>
      </Show>
    </>
  );
}

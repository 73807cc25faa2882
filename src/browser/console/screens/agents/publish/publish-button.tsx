import { createSignal, Show } from "solid-js";
import { agentVersions as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { PublishDialog } from "./publish-dialog.tsx";

/** Publishes what is saved of the agent, with a note. */
export function PublishButton(props: { kind?: "primary" }) {
  const [isOpen, setOpen] = createSignal(false);
  return (
    <>
      <Button needs="publishAgent" kind={props.kind} onClick={() => setOpen(true)}>
        {t.bar.publish}
      </Button>
      <Show when={isOpen()}>
        <PublishDialog onClose={() => setOpen(false)} />
      </Show>
    </>
  );
}

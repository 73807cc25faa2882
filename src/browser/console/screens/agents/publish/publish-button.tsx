import { createSignal, Show } from "solid-js";
import { agentVersions as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { PublishDialog } from "./publish-dialog.tsx";

/** Publishes the agent's draft, or this version of it, with a note. */
export function PublishButton(props: { kind?: "primary"; version?: number }) {
  const [isOpen, setOpen] = createSignal(false);
  return (
    <>
      <Button needs="publishAgent" kind={props.kind} onClick={() => setOpen(true)}>
        {props.version === undefined ? t.bar.publish : t.bar.publishVersion(props.version)}
      </Button>
      <Show when={isOpen()}>
        <PublishDialog version={props.version} onClose={() => setOpen(false)} />
      </Show>
    </>
  );
}

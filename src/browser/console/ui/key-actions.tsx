import { type JSX, Show } from "solid-js";
import type { Operation } from "../api/may.ts";
import { common } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { confirmed } from "./confirm.tsx";
import { notifyFailure } from "./toast.tsx";

interface Texts {
  disable: string;
  disableTitle: (name: string) => string;
  disableBody: JSX.Element;
  enable: string;
}

export function KeyActions(props: {
  texts: Texts;
  needs: { disable: Operation; remove: Operation };
  of: { name: string; disabled_at: string | null };
  setDisabled: (disabled: boolean) => Promise<void>;
  remove: () => Promise<void>;
}) {
  const disable = () => {
    const { disable: verb, disableTitle, disableBody: body } = props.texts;
    const question = { title: disableTitle(props.of.name), body, verb, danger: true };
    return confirmed(question, () => props.setDisabled(true));
  };
  return (
    <>
      <Show
        when={props.of.disabled_at !== null}
        fallback={
          <Button needs={props.needs.disable} onClick={() => void disable()}>
            {props.texts.disable}
          </Button>
        }
      >
        <Button needs={props.needs.disable} onClick={() => void props.setDisabled(false).catch(notifyFailure)}>
          {props.texts.enable}
        </Button>
      </Show>
      <Button needs={props.needs.remove} kind="danger" onClick={() => void props.remove()}>
        {common.delete}
      </Button>
    </>
  );
}

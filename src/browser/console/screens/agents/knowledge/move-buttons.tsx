import { Show } from "solid-js";
import { agents } from "../../../texts/index.ts";
import { IconButton } from "../../../ui/button.tsx";
import { ArrowDown as Down, ArrowUp as Up } from "../../../ui/icons.tsx";
import type { Step } from "./order.ts";

const t = agents.knowledge;

/** Buttons that move an item of a list up or down by one. The focus stays on the moved item. */
export function MoveButtons(props: { title: string; index: number; count: number; move: (step: Step) => void }) {
  let up: HTMLButtonElement | undefined;
  let down: HTMLButtonElement | undefined;
  const move = (step: Step) => {
    props.move(step);
    const [pressed, other] = step < 0 ? [up, down] : [down, up];
    (pressed?.disabled ? other : pressed)?.focus();
  };
  return (
    <Show when={props.count > 1}>
      <IconButton
        needs="orderAgentAttachments"
        ref={(button) => {
          up = button;
        }}
        icon={Up}
        label={t.moveUp(props.title)}
        disabled={props.index === 0}
        onClick={() => move(-1)}
      />
      <IconButton
        needs="orderAgentAttachments"
        ref={(button) => {
          down = button;
        }}
        icon={Down}
        label={t.moveDown(props.title)}
        disabled={props.index === props.count - 1}
        onClick={() => move(1)}
      />
    </Show>
  );
}

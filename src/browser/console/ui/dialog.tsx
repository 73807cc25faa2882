import { Dialog as Ark } from "@ark-ui/solid/dialog";
import { type JSX, Show } from "solid-js";
import { Portal } from "solid-js/web";
import { common } from "../texts/index.ts";
import { IconButton } from "./button.tsx";
import styles from "./dialog.module.css";
import { X } from "./icons.tsx";

interface Props {
  title: string;
  onClose: () => void;
  children: JSX.Element;
  /** The buttons, primary last. */
  footer?: JSX.Element;
  wide?: boolean;
  role?: "dialog" | "alertdialog";
  /** Whether only its buttons close it. */
  stays?: boolean;
}

/** A modal dialog. Render it while it is open. */
export function Dialog(props: Props) {
  return (
    <Ark.Root
      open
      role={props.role ?? "dialog"}
      closeOnEscape={!props.stays}
      closeOnInteractOutside={!props.stays && props.role !== "alertdialog"}
      onOpenChange={({ open }) => !open && props.onClose()}
    >
      <Portal>
        <Ark.Backdrop class={styles.backdrop} />
        <Ark.Positioner class={styles.positioner}>
          <Ark.Content class={`${styles.dialog} ${props.wide ? styles.wide : ""}`}>
            <header class={styles.header}>
              <Ark.Title class={styles.title}>{props.title}</Ark.Title>
              <Show when={!props.stays}>
                <IconButton icon={X} label={common.close} onClick={() => props.onClose()} />
              </Show>
            </header>
            <div class={styles.body}>{props.children}</div>
            <Show when={props.footer}>
              <footer class={styles.footer}>{props.footer}</footer>
            </Show>
          </Ark.Content>
        </Ark.Positioner>
      </Portal>
    </Ark.Root>
  );
}

import { Combobox, useListCollection } from "@ark-ui/solid/combobox";
import { Dialog } from "@ark-ui/solid/dialog";
import { useNavigate } from "@solidjs/router";
import { createEffect, createSignal, For, onCleanup, onMount } from "solid-js";
import { Portal } from "solid-js/web";
import { isOperator } from "../session/session.ts";
import { shell as t } from "../texts/index.ts";
import { isWriting } from "../ui/table.tsx";
import styles from "./command-palette.module.css";
import { commands } from "./commands.ts";

const [isOpen, setOpen] = createSignal(false);

/** Opens the search for screens, things by name, and commands. */
export const openPalette = (): void => {
  setOpen(true);
};

/** The search over everything that can be gone to or done, by Ctrl K or /. */
export function CommandPalette() {
  const navigate = useNavigate();
  const { collection, filter, set } = useListCollection({
    initialItems: commands(isOperator()),
    itemToString: ({ title }) => title,
    itemToValue: ({ id }) => id,
    filter: (title, text) => title.toLowerCase().includes(text.toLowerCase()),
  });
  createEffect(() => {
    if (isOpen()) set(commands(isOperator()));
  });

  const key = (event: KeyboardEvent) => {
    const isPalette = event.key === "k" && (event.metaKey || event.ctrlKey);
    const isSlash = event.key === "/" && !isWriting(event.target);
    if (!isPalette && !isSlash) return;
    event.preventDefault();
    setOpen(true);
  };
  onMount(() => {
    addEventListener("keydown", key);
    onCleanup(() => removeEventListener("keydown", key));
  });

  const run = (id: string | undefined) => {
    const command = commands(isOperator()).find((each) => each.id === id);
    if (!command) return;
    setOpen(false);
    if (command.href !== undefined) navigate(command.href);
    else command.run();
  };

  return (
    <Dialog.Root open={isOpen()} onOpenChange={({ open }) => setOpen(open)} lazyMount unmountOnExit>
      <Portal>
        <Dialog.Backdrop class={styles.backdrop} />
        <Dialog.Positioner class={styles.positioner}>
          <Dialog.Content class={styles.palette} aria-label={t.palette}>
            <Combobox.Root
              collection={collection()}
              open
              disableLayer
              inputBehavior="autohighlight"
              selectionBehavior="clear"
              loopFocus
              onInputValueChange={({ inputValue }) => filter(inputValue)}
              onValueChange={({ value }) => run(value[0])}
            >
              <Combobox.Input class={styles.input} placeholder={t.palettePlaceholder} aria-label={t.palette} />
              <Combobox.Content class={styles.list}>
                <Combobox.Empty class={styles.empty}>{t.paletteEmpty}</Combobox.Empty>
                <For each={collection().items}>
                  {(command) => (
                    <Combobox.Item item={command} class={styles.item}>
                      <Combobox.ItemText>{command.title}</Combobox.ItemText>
                      <span class="muted">{command.kind}</span>
                    </Combobox.Item>
                  )}
                </For>
              </Combobox.Content>
            </Combobox.Root>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  );
}

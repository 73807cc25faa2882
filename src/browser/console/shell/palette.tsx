import { Combobox, createListCollection } from "@ark-ui/solid/combobox";
import { Dialog } from "@ark-ui/solid/dialog";
import { useNavigate } from "@solidjs/router";
import { createMemo, createSignal, For, Show } from "solid-js";
import { Portal } from "solid-js/web";
import { mayOpen } from "../api/addresses.ts";
import { shell as t } from "../texts/index.ts";
import styles from "./command-palette.module.css";
import { type Command, commands } from "./commands.ts";
import { findCommands } from "./find-commands.ts";
import { setPaletteOpen } from "./palette-state.ts";
import { recentCommands, remember } from "./recent-commands.ts";
import { useThings } from "./things.ts";

/** The command palette. Render it while it is open. */
export default function Palette() {
  const navigate = useNavigate();
  const things = useThings();
  const [text, setText] = createSignal("");
  const isEmpty = () => text().trim() === "";
  const all = commands();
  const recent = recentCommands().filter(({ href }) => mayOpen(href));

  const first = createMemo((): Command[] => (isEmpty() ? recent : []));
  const rest = createMemo((): Command[] => {
    if (!isEmpty()) return findCommands([...all, ...things()], text());
    return all.filter(({ id }) => !recent.some((each) => each.id === id));
  });
  const collection = createMemo(() =>
    createListCollection<Command>({
      items: [...first(), ...rest()],
      itemToString: ({ title }) => title,
      itemToValue: ({ id }) => id,
    }),
  );

  const run = (id: string | undefined) => {
    const command = collection().items.find((each) => each.id === id);
    if (!command) return;
    setPaletteOpen(false);
    remember(command);
    if (command.href !== undefined) navigate(command.href);
    else command.run();
  };

  return (
    <Dialog.Root open onOpenChange={({ open }) => setPaletteOpen(open)}>
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
              onInputValueChange={({ inputValue }) => setText(inputValue)}
              onValueChange={({ value }) => run(value[0])}
            >
              <Combobox.Input class={styles.input} placeholder={t.palettePlaceholder} aria-label={t.palette} />
              <Combobox.Content class={styles.list}>
                <Combobox.Empty class={styles.empty}>{t.paletteEmpty}</Combobox.Empty>
                <Group label={t.recent} commands={first()} />
                <Group label={isEmpty() ? t.everything : t.found} commands={rest()} />
              </Combobox.Content>
            </Combobox.Root>
          </Dialog.Content>
        </Dialog.Positioner>
      </Portal>
    </Dialog.Root>
  );
}

function Group(props: { label: string; commands: Command[] }) {
  return (
    <Show when={props.commands.length > 0}>
      <Combobox.ItemGroup>
        <Combobox.ItemGroupLabel class={styles.group}>{props.label}</Combobox.ItemGroupLabel>
        <For each={props.commands}>
          {(command) => (
            <Combobox.Item item={command} class={styles.item}>
              <Combobox.ItemText class="cut">{command.title}</Combobox.ItemText>
              <span class={styles.kind}>{command.kind}</span>
            </Combobox.Item>
          )}
        </For>
      </Combobox.ItemGroup>
    </Show>
  );
}

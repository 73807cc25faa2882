import { For, type JSX, Show } from "solid-js";
import { shell as t } from "../texts/index.ts";
import { Dialog } from "../ui/dialog.tsx";
import { COMMAND_KEY } from "../ui/keys.ts";
import styles from "./command-palette.module.css";
import { showShortcuts } from "./palette-state.ts";
import { shownScreens } from "./screens.ts";
import { letterOf } from "./shortcuts.ts";

export default function ShortcutsDialog() {
  const screens = () => shownScreens().flatMap((group) => group.screens);
  return (
    <Dialog title={t.shortcuts} wide onClose={() => showShortcuts(false)}>
      <p class="muted">{t.shortcutsLead}</p>
      <div class={styles.keys}>
        <section>
          <h3>{t.keys.everywhere}</h3>
          <dl>
            <Key name={t.keys.palette}>
              <kbd>{COMMAND_KEY} K</kbd> {t.keys.or} <kbd>/</kbd>
            </Key>
            <Key name={t.keys.help}>
              <kbd>?</kbd>
            </Key>
            <Key name={t.keys.create}>
              <kbd>N</kbd>
            </Key>
            <Key name={t.keys.escape}>
              <kbd>Esc</kbd>
            </Key>
          </dl>
        </section>
        <section>
          <h3>{t.keys.lists}</h3>
          <dl>
            <Key name={t.keys.list}>
              <kbd>J</kbd> <kbd>K</kbd>
            </Key>
            <Key name={t.keys.open}>
              <kbd>Enter</kbd>
            </Key>
            <Key name={t.keys.full}>
              <kbd>F</kbd>
            </Key>
          </dl>
        </section>
      </div>
      <section class={styles.screens}>
        <h3>{t.goTo}</h3>
        <dl>
          <For each={screens()}>
            {({ title, href }) => (
              <Show when={letterOf(href)}>
                {(letter) => (
                  <Key name={title}>
                    <kbd>G</kbd> {t.keys.thenKey} <kbd>{letter().toUpperCase()}</kbd>
                  </Key>
                )}
              </Show>
            )}
          </For>
        </dl>
      </section>
    </Dialog>
  );
}

function Key(props: { name: string; children: JSX.Element }) {
  return (
    <div class={styles.key}>
      <dt>{props.name}</dt>
      <dd>{props.children}</dd>
    </div>
  );
}

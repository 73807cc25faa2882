import { createEffect, createMemo, createSignal, createUniqueId, For, type JSX, on, Show } from "solid-js";
import { agents } from "../../../texts/index.ts";
import { Field } from "../../../ui/field.tsx";
import fields from "../../../ui/fields.module.css";
import { placeBelow } from "./caret-place.ts";
import { completed, namesFor, typingAt } from "./completion.ts";
import { openBracesLine } from "./open-braces.ts";
import styles from "./template-area.module.css";
import type { OfferedVariable } from "./variables.ts";

const t = agents.variables;
/** Width of the list if there is enough room. */
const LIST_PX = 280;

/**
 * Text area with variables: typing `{{` offers their names, and the form can't be sent while one is unclosed. The focus
 * stays in the text area, as in every combobox.
 */
export function TemplateArea(props: {
  label: string;
  value: string;
  onInput: (value: string) => void;
  offered: readonly OfferedVariable[];
  hint?: JSX.Element;
  error?: string | undefined;
  rows: number;
  maxlength?: number;
  placeholder?: string;
  code?: boolean;
  "data-field"?: string;
}) {
  const listId = createUniqueId();
  let area: HTMLTextAreaElement | undefined;
  const [caret, setCaret] = createSignal<number>();
  /** Start of the name whose list the user dismissed. */
  const [dismissed, setDismissed] = createSignal<number>();
  const [active, setActive] = createSignal(0);

  const typing = createMemo(() => {
    const at = caret();
    return at === undefined ? undefined : typingAt(props.value, at);
  });
  const offered = createMemo(() => {
    const name = typing();
    return name && name.from !== dismissed() ? namesFor(props.offered, name.typed) : [];
  });
  const isOpen = () => offered().length > 0;
  createEffect(
    on(typing, (now, before) => (now?.from !== before?.from || now?.typed !== before?.typed) && setActive(0)),
  );
  createEffect(() => isOpen() && document.getElementById(optionId(active()))?.scrollIntoView({ block: "nearest" }));

  const fault = createMemo(() => {
    const line = openBracesLine(props.value);
    return line === undefined ? "" : t.notClosed(line);
  });
  /** The fault isn't shown while the name is being typed. */
  const shownFault = () => (fault() !== "" && typing() === undefined ? fault() : undefined);

  const optionId = (i: number) => `${listId}-${i}`;
  const follow = () => setCaret(area && area.selectionStart === area.selectionEnd ? area.selectionStart : undefined);
  const take = (name: string) => {
    const at = caret();
    if (!area || at === undefined) return;
    const done = completed(props.value, at, name);
    props.onInput(done.text);
    area.value = done.text;
    area.setSelectionRange(done.caret, done.caret);
    follow();
  };
  const press = (event: KeyboardEvent) => {
    const last = offered().length - 1;
    if (last < 0 || event.isComposing) return;
    const steps: Record<string, () => void> = {
      ArrowDown: () => setActive(active() === last ? 0 : active() + 1),
      ArrowUp: () => setActive(active() === 0 ? last : active() - 1),
      Enter: () => take(offered()[active()]?.name ?? ""),
      Tab: () => take(offered()[active()]?.name ?? ""),
      Escape: () => setDismissed(typing()?.from),
    };
    const step = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey ? undefined : steps[event.key];
    if (!step) return;
    event.preventDefault();
    event.stopPropagation();
    step();
  };
  const place = () => {
    const name = typing();
    if (!area || !name) return {};
    const { left, top } = placeBelow(area, name.from);
    return { left: `max(0px, min(${left}px, 100% - ${LIST_PX}px))`, top: `${top}px` };
  };

  return (
    <Field label={props.label} hint={props.hint} error={shownFault() ?? props.error} data-field={props["data-field"]}>
      {(control) => (
        <div class={styles.around}>
          {/* biome-ignore lint/a11y/useAriaPropsSupportedByRole: while the list is open the text is a combobox. */}
          <textarea
            dir="auto"
            {...control}
            ref={(element) => {
              area = element;
              createEffect(() => element.setCustomValidity(fault()));
            }}
            role={isOpen() ? "combobox" : undefined}
            aria-autocomplete="list"
            aria-haspopup="listbox"
            aria-expanded={isOpen() ? "true" : undefined}
            aria-controls={isOpen() ? listId : undefined}
            aria-activedescendant={isOpen() ? optionId(active()) : undefined}
            class={`${fields.control} ${props.code ? fields.code : ""}`}
            rows={props.rows}
            maxlength={props.maxlength}
            placeholder={props.placeholder}
            value={props.value}
            onInput={(event) => {
              setDismissed(undefined);
              props.onInput(event.currentTarget.value);
              follow();
            }}
            onKeyDown={press}
            onKeyUp={follow}
            onClick={follow}
            onBlur={() => setCaret(undefined)}
          />
          <Show when={isOpen()}>
            <div id={listId} class={styles.list} style={place()} role="listbox" aria-label={t.title}>
              <For each={offered()}>
                {(variable, i) => (
                  // biome-ignore lint/a11y/useKeyWithClickEvents: the keys are the text's, where the focus stays.
                  <div
                    id={optionId(i())}
                    class={styles.option}
                    role="option"
                    tabIndex={-1}
                    aria-selected={i() === active()}
                    onMouseDown={(event) => event.preventDefault()}
                    onClick={() => take(variable.name)}
                  >
                    <code>{variable.name}</code>
                    <span class="muted">{variable.about}</span>
                  </div>
                )}
              </For>
            </div>
          </Show>
          <div class="visually-hidden" role="status">
            {isOpen() ? t.offered(offered().length) : ""}
          </div>
        </div>
      )}
    </Field>
  );
}

import { createEffect, createSignal, on, onCleanup } from "solid-js";
import { TextField } from "./fields.tsx";

/** How long after the last key a filter holds, ms. */
const PAUSE_MS = 300;

/** A filter that is written: it holds once the writer pauses, or at once by Enter. */
export function FilterText(props: {
  label: string;
  placeholder?: string;
  value: string;
  onChange: (value: string) => void;
}) {
  const [text, setText] = createSignal(props.value);
  let pause: ReturnType<typeof setTimeout> | undefined;
  const hold = () => {
    clearTimeout(pause);
    if (text() !== props.value) props.onChange(text());
  };
  // The address may change by itself: the way back, a link.
  createEffect(
    on(
      () => props.value,
      (value) => setText(value),
      { defer: true },
    ),
  );
  onCleanup(() => clearTimeout(pause));
  return (
    <TextField
      type="search"
      label={props.label}
      placeholder={props.placeholder}
      value={text()}
      onInput={(value) => {
        setText(value);
        clearTimeout(pause);
        pause = setTimeout(hold, PAUSE_MS);
      }}
      onKeyDown={(event) => event.key === "Enter" && hold()}
      onBlur={hold}
    />
  );
}

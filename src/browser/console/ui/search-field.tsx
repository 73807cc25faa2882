import { createEffect, createSignal, on, onCleanup } from "solid-js";
import { common } from "../texts/index.ts";
import { TextField } from "./fields.tsx";

/** Pause in typing before the search runs, ms. */
const PAUSE_MS = 200;

export function SearchField(props: {
  label?: string;
  placeholder?: string;
  value: string;
  onInput: (text: string) => void;
}) {
  const [text, setText] = createSignal(props.value);
  let pause: ReturnType<typeof setTimeout> | undefined;
  let searched = props.value;
  const search = () => {
    clearTimeout(pause);
    searched = text().trim();
    props.onInput(searched);
  };
  // Restores the search of an address that the user went back to.
  createEffect(
    on(
      () => props.value,
      (value) => {
        if (value !== searched) setText(value);
        searched = value;
      },
      { defer: true },
    ),
  );
  onCleanup(() => clearTimeout(pause));
  return (
    <TextField
      type="search"
      label={props.label ?? common.search}
      placeholder={props.placeholder}
      value={text()}
      onInput={(value) => {
        setText(value);
        clearTimeout(pause);
        pause = setTimeout(search, PAUSE_MS);
      }}
      onChange={search}
    />
  );
}

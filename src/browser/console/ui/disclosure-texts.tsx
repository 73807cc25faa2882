import { createSignal } from "solid-js";
import { disclosure as t } from "../texts/index.ts";
import { TextArea } from "./fields.tsx";

type Texts = Record<string, string>;

/** Edits the sentences of a disclosure, one line per language. */
export function DisclosureTexts(props: {
  value: Texts;
  onInput: (value: Texts) => void;
  error?: string | undefined;
  disabled?: boolean | undefined;
}) {
  const [typed, setTyped] = createSignal("");
  // Shows the typed text unchanged until the form gets other sentences.
  const shown = () => {
    const lines = linesOf(props.value);
    return linesOf(textsIn(typed())) === lines ? typed() : lines;
  };
  return (
    <TextArea
      label={t.texts}
      hint={t.textsHint}
      placeholder={t.textsPlaceholder}
      rows={3}
      value={shown()}
      onInput={(text) => {
        setTyped(text);
        props.onInput(textsIn(text));
      }}
      error={props.error}
      disabled={props.disabled}
    />
  );
}

const linesOf = (texts: Texts): string =>
  Object.entries(texts)
    .map(([tag, text]) => `${tag}: ${text}`)
    .join("\n");

function textsIn(lines: string): Texts {
  const written = lines.split("\n").filter((line) => line.trim() !== "");
  return Object.fromEntries(
    written.map((line): [string, string] => {
      const [tag = "", ...rest] = line.split(":");
      return [tag.trim(), rest.join(":").trim()];
    }),
  );
}

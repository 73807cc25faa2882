import { createSignal, type JSX } from "solid-js";
import styles from "./drop-area.module.css";

/**
 * An area for files, which the user drops or chooses. The children are shown in it; they get a function that opens the
 * choice.
 */
export function DropArea(props: {
  label: string;
  /** The endings and media types of the files. */
  accept: string;
  multiple?: boolean;
  onFiles: (files: File[]) => void;
  children: (choose: () => void) => JSX.Element;
}) {
  const [isOver, setOver] = createSignal(false);
  let input: HTMLInputElement | undefined;
  const take = (files: FileList | null | undefined) => files && files.length > 0 && props.onFiles([...files]);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one of several ways, the others are buttons.
    <div
      class={styles.drop}
      data-over={isOver() ? "" : undefined}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        take(event.dataTransfer?.files);
      }}
    >
      {props.children(() => input?.click())}
      <input
        ref={input}
        type="file"
        accept={props.accept}
        multiple={props.multiple}
        hidden
        aria-label={props.label}
        onChange={(event) => {
          take(event.currentTarget.files);
          event.currentTarget.value = "";
        }}
      />
    </div>
  );
}

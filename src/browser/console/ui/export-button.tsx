import { createSignal } from "solid-js";
import { ask } from "../api/client.ts";
import type { Operation } from "../api/may.ts";
import { common } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { saveAs } from "./download.ts";
import { Download } from "./icons.tsx";
import { notifyFailure } from "./toast.tsx";

/** Saves a list as CSV, with its current filters. */
export function ExportButton(props: {
  /** The operation and its path. */
  needs: Operation;
  path: string;
  filters: Partial<Record<string, string>>;
  file: string;
  /** Names the list for screen readers, if a screen has more than one list. */
  of?: string;
  small?: boolean;
}) {
  const [busy, setBusy] = createSignal(false);
  const save = async () => {
    setBusy(true);
    try {
      const query = new URLSearchParams(
        Object.entries(props.filters).flatMap(([name, value]) => (value ? [[name, value]] : [])),
      );
      const answer = await ask(query.size > 0 ? `${props.path}?${query}` : props.path, {
        headers: { accept: "text/csv" },
      });
      saveAs(await answer.blob(), props.file);
    } catch (error) {
      notifyFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Button
      needs={props.needs}
      icon={Download}
      small={props.small ?? false}
      busy={busy()}
      onClick={save}
      aria-label={props.of === undefined ? undefined : `${common.export}: ${props.of}`}
    >
      {common.export}
    </Button>
  );
}

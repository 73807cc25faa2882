import { useSearchParams } from "@solidjs/router";
import { Show } from "solid-js";
import { formatNumber } from "../texts/format.ts";
import { common } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { ChevronLeft, ChevronRight } from "./icons.tsx";
import styles from "./pager.module.css";

/** Returns the page of a list named in the address, as the API's `offset`. */
export function useOffset(): () => number {
  const [search] = useSearchParams();
  return () => Math.max(0, Math.trunc(Number(search.offset)) || 0);
}

/** Shows the current range of a list and buttons for the other pages; nothing if there is only one page. */
export function Pager(props: { total: number; limit: number; offset: number }) {
  const [, setSearch] = useSearchParams();
  const goTo = (offset: number) => setSearch({ offset: offset > 0 ? offset : undefined });
  const last = () => Math.min(props.offset + props.limit, props.total);
  return (
    <Show when={props.total > props.limit || props.offset > 0}>
      <nav class={styles.pager} aria-label={common.pages}>
        <output>
          {common.shownOf(
            `${formatNumber(Math.min(props.offset + 1, props.total))}–${formatNumber(last())}`,
            formatNumber(props.total),
          )}
        </output>
        <Button
          small
          icon={ChevronLeft}
          disabled={props.offset === 0}
          onClick={() => goTo(Math.max(0, Math.min(props.offset, props.total) - props.limit))}
        >
          {common.previous}
        </Button>
        <Button
          small
          icon={ChevronRight}
          disabled={last() >= props.total}
          onClick={() => goTo(props.offset + props.limit)}
        >
          {common.next}
        </Button>
      </nav>
    </Show>
  );
}

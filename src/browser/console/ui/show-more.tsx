import { Show } from "solid-js";
import { formatNumber } from "../texts/format.ts";
import { common, history as t } from "../texts/index.ts";
import { Button } from "./button.tsx";
import styles from "./show-more.module.css";

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

/** Below a paged list: how much of it is shown, and a button for more. */
export function ShowMore(props: { pages: Pages; shown: number; total?: number | undefined }) {
  const words = () => {
    const shown = formatNumber(props.shown);
    return props.total === undefined ? t.shown(shown) : common.shownOf(shown, formatNumber(props.total));
  };
  return (
    <Show when={props.shown > 0}>
      <div class={styles.more}>
        <Show when={props.pages.hasNextPage}>
          <Button busy={props.pages.isFetchingNextPage} onClick={() => void props.pages.fetchNextPage()}>
            {common.loadMore}
          </Button>
        </Show>
        <output class="muted">{words()}</output>
      </div>
    </Show>
  );
}

import { Show } from "solid-js";
import { formatNumber } from "../texts/format.ts";
import { common, history as t } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { Row } from "./layout.tsx";

interface Pages {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

interface Props {
  pages: Pages;
  shown: number;
  total?: number | undefined;
  /** A page that contains the total, or a lower bound of it. */
  of?: { total: number; total_at_least: boolean } | undefined;
}

/** Shows how much of a paged list is shown, and a button for more. */
export function ShowMore(props: Props) {
  const words = () => {
    const shown = formatNumber(props.shown);
    const total = props.of?.total ?? props.total;
    if (total === undefined) return t.shown(shown);
    // The lower bound is outdated once more rows are shown.
    if (props.of?.total_at_least && props.shown >= total) return t.shown(shown);
    const all = formatNumber(total);
    return common.shownOf(shown, props.of?.total_at_least ? t.atLeast(all) : all);
  };
  return (
    <Show when={props.shown > 0}>
      <Row gap={12} align="center">
        <Show when={props.pages.hasNextPage}>
          <Button busy={props.pages.isFetchingNextPage} onClick={() => void props.pages.fetchNextPage()}>
            {common.loadMore}
          </Button>
        </Show>
        <output class="muted">{words()}</output>
      </Row>
    </Show>
  );
}

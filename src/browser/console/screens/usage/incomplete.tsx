import { Match, Show, Switch } from "solid-js";
import { priceList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { usage as t } from "../../texts/index.ts";
import { Note } from "../../ui/feedback.tsx";
import { PriceLinks } from "../../ui/price-link.tsx";
import type { Window } from "./periods.ts";
import { latestConversations } from "./queries.ts";
import { type Sums, unpricedOf } from "./sums.ts";

/** Says that the cost is incomplete and what has no price, as far as the latest conversations show. */
export function Incomplete(props: { window: Window; total: Sums }) {
  const latest = useQuery(() => latestConversations(props.window));
  const prices = useQuery(priceList);
  const unpriced = () => unpricedOf(latest.data?.conversations ?? []);
  const isUnknown = (what: string) => prices.data?.prices.find((price) => price.what === what)?.unit_micros === null;
  const missing = () => unpriced().filter(isUnknown);
  return (
    <Note tone="warn">
      <p>
        <strong>{t.incomplete.title}</strong>{" "}
        {t.incomplete.lead(props.total.cost_incomplete, props.total.conversations)}
        <Show when={prices.data}>
          <Switch>
            <Match when={missing().length > 0}>
              {" "}
              {t.incomplete.missing} <PriceLinks whats={missing()} />. <span class="muted">{t.incomplete.latest}</span>
            </Match>
            <Match when={unpriced().length > 0}> {t.incomplete.setSince}</Match>
          </Switch>
        </Show>
      </p>
    </Note>
  );
}

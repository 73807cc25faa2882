import { A } from "@solidjs/router";
import { For, Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { formatMoneyExact } from "../../texts/format.ts";
import { prices, cost as t } from "../../texts/index.ts";
import { Note } from "../../ui/feedback.tsx";
import { Section } from "../../ui/page.tsx";
import { addressOfPrice } from "../../ui/price-address.ts";
import { PriceLinks } from "../../ui/price-link.tsx";
import styles from "./conversation-cost.module.css";

type Cost = NonNullable<Body<"Conversation">["cost"]>;

export function ConversationCost(props: { conversation: Body<"ConversationDetail"> }) {
  return (
    <Section title={t.title}>
      <Show
        when={props.conversation.cost}
        fallback={<p class="muted">{props.conversation.status === "live" ? t.live : t.notYet}</p>}
      >
        {(cost) => (
          <Show when={cost().items.length > 0} fallback={<p class="muted">{t.nothing}</p>}>
            <Items cost={cost()} />
          </Show>
        )}
      </Show>
    </Section>
  );
}

function Items(props: { cost: Cost }) {
  const unpriced = () => props.cost.items.filter(({ unit_micros }) => unit_micros === null).map(({ what }) => what);
  return (
    <>
      <Show when={!props.cost.complete}>
        <Note tone="warn">
          <p>
            {t.incomplete} <PriceLinks whats={unpriced()} />.
          </p>
        </Note>
      </Show>
      <table class={styles.items}>
        <thead class="visually-hidden">
          <tr>
            <th scope="col">{t.columns.what}</th>
            <th scope="col">{t.columns.amount}</th>
          </tr>
        </thead>
        <tbody>
          <For each={props.cost.items}>
            {(item) => (
              <tr>
                <th scope="row">
                  <A href={addressOfPrice(item.what)}>{prices.nameOf(item.what)}</A>
                  <div class="muted">
                    {t.quantity[item.unit](item.quantity)}
                    <Show when={item.unit_micros}>
                      {(micros) => <> · {prices.of(formatMoneyExact(micros()), prices.units[item.unit])}</>}
                    </Show>
                  </div>
                </th>
                <td>{amountOf(item)}</td>
              </tr>
            )}
          </For>
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{props.cost.complete ? t.total : t.totalPriced}</th>
            <td>{formatMoneyExact(props.cost.amount_micros)}</td>
          </tr>
        </tfoot>
      </table>
    </>
  );
}

function amountOf({ unit_micros, amount_micros }: Cost["items"][number]): string {
  if (amount_micros === null) return t.unknown;
  return unit_micros === 0 ? prices.free : formatMoneyExact(amount_micros);
}

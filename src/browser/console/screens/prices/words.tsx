import { Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { formatMoneyExact } from "../../texts/format.ts";
import { prices as t } from "../../texts/index.ts";
import { Badge } from "../../ui/values.tsx";

export type Price = Body<"Price">;

export const isOwn = ({ source }: Pick<Price, "source">): boolean => source === "account";

/** A price with its unit, or that it is free or unknown. */
export function PriceOf(props: { price: Price }) {
  return (
    <Show when={props.price.unit_micros !== null} fallback={<Badge tone="warn">{t.unknown}</Badge>}>
      <Show when={props.price.unit_micros !== 0} fallback={t.free}>
        {t.of(formatMoneyExact(props.price.unit_micros ?? 0), t.units[props.price.unit])}
      </Show>
    </Show>
  );
}

const ADDRESS = /https:\/\/\S+$/;

/** The source of a price, with a link to the public list. */
export function Source(props: { price: Price; plain?: boolean }) {
  const source = () => props.price.source ?? "";
  const address = () => ADDRESS.exec(source())?.[0];
  const words = () => source().replace(ADDRESS, "").replace(/,\s*$/, "");
  const sourceText = () => (words() === "part of the service" ? t.builtIn : words());
  return (
    <Show when={!isOwn(props.price)} fallback={t.own}>
      <Show when={source()} fallback={<span class="muted">–</span>}>
        <Show when={!props.plain && address()} fallback={sourceText()}>
          {(href) => (
            <a href={href()} target="_blank" rel="noreferrer">
              {sourceText()}
            </a>
          )}
        </Show>
      </Show>
    </Show>
  );
}

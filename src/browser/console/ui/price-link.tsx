import { A } from "@solidjs/router";
import { For } from "solid-js";
import { prices as t } from "../texts/index.ts";
import { addressOfPrice } from "./price-address.ts";

export function PriceLinks(props: { whats: string[] }) {
  return (
    <For each={props.whats}>
      {(what, nth) => (
        <>
          {nth() > 0 && "; "}
          <A href={addressOfPrice(what)}>{t.nameOf(what)}</A>
        </>
      )}
    </For>
  );
}

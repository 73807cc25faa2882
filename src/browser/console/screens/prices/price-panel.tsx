import { Show } from "solid-js";
import { api, data } from "../../api/client.ts";
import { priceList } from "../../api/lists.ts";
import { showAnswer } from "../../api/queries.ts";
import { storedBy } from "../../api/use-query.ts";
import { formatDay } from "../../texts/format.ts";
import { prices as t } from "../../texts/index.ts";
import { Note } from "../../ui/feedback.tsx";
import { NumberField, SelectField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { optionsOf } from "../../ui/options.ts";
import { PanelFooter, PanelForm } from "../../ui/panel-form.tsx";
import { idOfPrice } from "../../ui/price-address.ts";
import { fromList, ResourcePanel } from "../../ui/resource-panel.tsx";
import { notify } from "../../ui/toast.tsx";
import { CopiedCode, Facts } from "../../ui/values.tsx";
import { isOwn, type Price, PriceOf, Source } from "./words.tsx";

const MICROS = 1_000_000;

const priceById = fromList(priceList, ({ prices }, id) => prices.find(({ what }) => idOfPrice(what) === id));

export default function PricePanel() {
  return (
    <ResourcePanel
      query={priceById}
      one={t.one}
      title={({ what }) => t.nameOf(what)}
      lead={(found) => <PriceOf price={found()} />}
      closeTo="/prices"
    >
      {(found) => (
        <>
          <Show when={found().unit_micros === null}>
            <Note tone="warn">{t.unknownMore}</Note>
          </Show>
          <Settings price={found()} />
          <Facts
            of={[
              [t.facts.since, () => found().since && formatDay(found().since ?? "")],
              [t.facts.source, () => <Source price={found()} />],
              [t.facts.name, () => <CopiedCode text={found().what} />],
            ]}
          />
        </>
      )}
    </ResourcePanel>
  );
}

interface Values {
  kind: keyof typeof t.form.kinds;
  /** US dollars per unit; null if none is set. */
  dollars: number | null;
}

function Settings(props: { price: Price }) {
  const { what } = props.price;
  const form = createForm<Values>({
    initial: valuesOf(props.price),
    stored: storedBy(props.price, priceById(idOfPrice(what)), valuesOf),
    save: async (values) => {
      const saved = await data(
        api.PATCH("/api/v1/prices", { body: { prices: [{ what, unit_micros: microsOf(values) }] } }),
      );
      showAnswer(priceList().queryKey, saved);
      notify(t.form.saved);
    },
  });
  return (
    <PanelForm needs="updatePrices" form={form}>
      <SelectField
        label={t.form.kind}
        hint={t.form.hints[form.values.kind]}
        {...form.field("kind")}
        options={optionsOf(t.form.kinds)}
      />
      <Show when={form.values.kind === "own"}>
        <NumberField
          label={t.form.amount(t.units[props.price.unit])}
          value={form.values.dollars ?? undefined}
          onInput={(value) => form.set("dollars", value ?? null)}
          error={form.error("prices.0.unit_micros")}
          min={0}
          max={1_000}
          step="0.000001"
          required
        />
      </Show>
      <p class="muted">{t.form.since}</p>
      <PanelFooter form={form} />
    </PanelForm>
  );
}

function valuesOf(price: Price): Values {
  const { unit_micros } = price;
  const dollars = unit_micros === null || unit_micros === 0 ? null : unit_micros / MICROS;
  if (!isOwn(price)) return { kind: "default", dollars };
  return { kind: unit_micros === 0 ? "free" : "own", dollars };
}

/** Returns the price as the service expects it. */
function microsOf({ kind, dollars }: Values): number | null {
  if (kind === "default") return null;
  return kind === "free" ? 0 : Math.round((dollars ?? 0) * MICROS);
}

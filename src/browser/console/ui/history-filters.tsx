import { createComputed, createEffect, createMemo, createSignal, type JSX, Show } from "solid-js";
import { seesContacts } from "../api/may.ts";
import { history as t } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { beginningOf, dayOf, endOf, lastDayBefore } from "./days.ts";
import { numberReader } from "./entered-number.ts";
import { SelectField, TextField } from "./fields.tsx";
import type { useFilters } from "./filters.ts";
import styles from "./history-filters.module.css";
import { SlidersHorizontal } from "./icons.tsx";
import { choicesOf, useAgents, useCampaigns } from "./named.tsx";

type Filters<Name extends string> = ReturnType<typeof useFilters<Name>>;

export function AgentFilter(props: { filters: Filters<"agent_id"> }) {
  const agents = useAgents();
  return <SelectField label={t.agent} {...props.filters.field("agent_id")} options={choicesOf(agents, t.anyAgent)} />;
}

export function CampaignFilter(props: { filters: Filters<"campaign_id"> }) {
  const campaigns = useCampaigns();
  return (
    <SelectField
      label={t.campaign}
      {...props.filters.field("campaign_id")}
      options={choicesOf(campaigns, t.anyCampaign)}
    />
  );
}

/** Filters a list by a phone number in any grouping. It applies on Enter or when the field loses the focus. */
export function PhoneFilter(props: { filters: Filters<"phone_number"> }) {
  const [written, setWritten] = createSignal("");
  const [error, setError] = createSignal<string>();
  createEffect(() => setWritten(props.filters.get("phone_number")));
  const commit = async () => {
    const text = written().trim();
    const number = text === "" ? "" : (await numberReader()).canonicalNumber(text);
    setError(number === null ? t.phoneWrong : undefined);
    if (number !== null) props.filters.set("phone_number", number);
  };
  return (
    <Show when={seesContacts()}>
      <TextField
        type="tel"
        label={t.phoneNumber}
        placeholder={t.phonePlaceholder}
        value={written()}
        error={error()}
        onInput={setWritten}
        onChange={() => void commit()}
      />
    </Show>
  );
}

/**
 * Filters a list by days in the user's time zone. The address holds exact times, so that a link means the same to
 * everyone.
 */
export function DayFilters(props: { filters: Filters<"since" | "until"> }) {
  const until = () => props.filters.get("until");
  return (
    <>
      <TextField
        type="date"
        label={t.from}
        value={dayOf(props.filters.get("since"))}
        onInput={(day) => props.filters.set("since", beginningOf(day))}
      />
      <TextField
        type="date"
        label={t.until}
        value={until() === "" ? "" : lastDayBefore(until())}
        onInput={(day) => props.filters.set("until", endOf(day))}
      />
    </>
  );
}

/** Filters shown on request or while in use, and buttons to show them and to clear all. */
export function MoreFilters<Name extends string>(props: {
  filters: Filters<Name>;
  folded: NoInfer<Name>[];
  children: JSX.Element;
}) {
  const isUsed = createMemo(() => props.folded.some((name) => props.filters.get(name) !== ""));
  const [isOpen, setOpen] = createSignal(false);
  // The address may bring such a filter later, such as on Back.
  createComputed(() => isUsed() && setOpen(true));
  return (
    <>
      <Show when={isOpen()}>{props.children}</Show>
      <div class={styles.buttons}>
        <Button kind="quiet" icon={SlidersHorizontal} aria-expanded={isOpen()} onClick={() => setOpen(!isOpen())}>
          {isOpen() ? t.fewerFilters : t.moreFilters}
        </Button>
        <Show when={props.filters.isAny()}>
          <Button kind="quiet" onClick={() => props.filters.clear()}>
            {t.clear}
          </Button>
        </Show>
      </div>
    </>
  );
}

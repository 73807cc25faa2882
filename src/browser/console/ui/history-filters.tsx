import { createEffect, createSignal, type JSX, Show } from "solid-js";
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

/** Narrows a list down to an agent. */
export function AgentFilter(props: { filters: Filters<"agent_id"> }) {
  const agents = useAgents();
  return <SelectField label={t.agent} {...props.filters.field("agent_id")} options={choicesOf(agents, t.anyAgent)} />;
}

/** Narrows a list down to a campaign. */
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

/** Narrows a list down to a phone number, however it is grouped: it counts with Enter, or when the field is left. */
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

/** Narrows a list down to days of the reader's; the address holds the times, so that it means the same to everybody. */
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

/** Filters shown on request or while in use, followed by the buttons to show them and to clear all. */
export function MoreFilters<Name extends string>(props: {
  filters: Filters<Name>;
  /** Those that are folded away. */
  folded: NoInfer<Name>[];
  children: JSX.Element;
}) {
  const [isOpen, setOpen] = createSignal(props.folded.some((name) => props.filters.get(name) !== ""));
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

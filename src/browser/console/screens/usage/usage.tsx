import { For, Show } from "solid-js";
import { useQuery } from "../../api/use-query.ts";
import { formatMinutes, formatMoney, formatNumber } from "../../texts/format.ts";
import { usage as t } from "../../texts/index.ts";
import { LinkButton } from "../../ui/button.tsx";
import { ExportButton } from "../../ui/export-button.tsx";
import { Empty, Loaded, Note, Skeleton } from "../../ui/feedback.tsx";
import { SelectField, TextField } from "../../ui/fields.tsx";
import { useFilters } from "../../ui/filters.ts";
import { now } from "../../ui/now.ts";
import { optionsOf } from "../../ui/options.ts";
import { Card, FilterBar, Page } from "../../ui/page.tsx";
import { Incomplete } from "./incomplete.tsx";
import { dayAfter, type Period, periodNamed, utcDay, type Window, windowOf } from "./periods.ts";
import { groupNamed, usageByDay } from "./queries.ts";
import { type Sums, sumOf } from "./sums.ts";
import styles from "./usage.module.css";
import { UsagePlots } from "./usage-plots.tsx";
import { UsageTable } from "./usage-table.tsx";

type Filters = ReturnType<typeof useFilters<"period" | "from" | "until" | "by">>;

export default function UsagePage() {
  const filters = useFilters("period", "from", "until", "by");
  const period = () => periodNamed(filters.get("period"));
  const today = () => utcDay(now());
  const chosen = () => ({
    from: filters.get("from") || dayAfter(today(), -29),
    until: filters.get("until") || today(),
  });
  const window = () => windowOf(period(), Date.parse(today()), chosen());
  return (
    <Page title={t.title} lead={t.lead} actions={<LinkButton href="/prices">{t.prices}</LinkButton>}>
      <FilterBar>
        <SelectField
          label={t.filters.period}
          value={period()}
          onInput={(name: Period) => filters.set("period", name)}
          options={optionsOf(t.filters.periods)}
        />
        <Show when={period() === "days"}>
          <TextField
            type="date"
            label={t.filters.from}
            value={chosen().from}
            onInput={(day) => filters.set("from", day)}
          />
          <TextField
            type="date"
            label={t.filters.until}
            value={chosen().until}
            onInput={(day) => filters.set("until", day)}
          />
        </Show>
      </FilterBar>
      <Show when={window()} fallback={<Note tone="warn">{t.wrongDays}</Note>}>
        {(days) => <Used window={days()} filters={filters} />}
      </Show>
    </Page>
  );
}

function Used(props: { window: Window; filters: Filters }) {
  const found = useQuery(() => usageByDay(props.window));
  const group = () => groupNamed(props.filters.get("by"));
  return (
    <Loaded query={found} skeleton={<Waiting />}>
      {(used) => {
        const total = () => sumOf(used().usage);
        return (
          <Show when={used().usage.length > 0} fallback={<Empty title={t.emptyTitle}>{t.empty}</Empty>}>
            <Totals of={total()} />
            <Show when={total().cost_incomplete > 0}>
              <Incomplete window={props.window} total={total()} />
            </Show>
            <UsagePlots used={used()} actions={<Export window={props.window} groups="day" of={t.byDay} />} />
            <UsageTable
              window={props.window}
              group={group()}
              onGroup={(name) => props.filters.set("by", name)}
              actions={<Export window={props.window} groups={group()} of={t.byLabel(t.groups[group()])} />}
            />
          </Show>
        );
      }}
    </Loaded>
  );
}

function Totals(props: { of: Sums }) {
  const cost = () => {
    const amount = formatMoney(props.of.cost);
    return props.of.cost_incomplete > 0 ? t.atLeast(amount) : amount;
  };
  const totals = () => [
    [t.totals.cost, cost()],
    [t.totals.calls, formatNumber(props.of.calls)],
    [t.totals.answered, formatNumber(props.of.answered)],
    [t.totals.conversations, formatNumber(props.of.conversations)],
    [t.totals.minutes, formatMinutes(props.of.minutes)],
    [t.totals.tokens, formatNumber(props.of.input_tokens + props.of.output_tokens)],
  ];
  return (
    <Card>
      <dl class={styles.totals}>
        <For each={totals()}>
          {([name, value]) => (
            <div>
              <dt class="muted">{name}</dt>
              <dd>{value}</dd>
            </div>
          )}
        </For>
      </dl>
    </Card>
  );
}

function Export(props: { window: Window; groups: string; of: string }) {
  return (
    <ExportButton
      needs="getUsage"
      path="/api/v1/usage"
      filters={{ from: props.window.from, to: props.window.to, group_by: props.groups }}
      file={`usage-by-${props.groups}-${props.window.from}-${dayAfter(props.window.to, -1)}.csv`}
      of={props.of}
      small
    />
  );
}

function Waiting() {
  return (
    <>
      <Card>
        <Skeleton lines={2} />
      </Card>
      <div class={styles.plots}>
        <Card>
          <Skeleton lines={7} />
        </Card>
        <Card>
          <Skeleton lines={7} />
        </Card>
      </div>
    </>
  );
}

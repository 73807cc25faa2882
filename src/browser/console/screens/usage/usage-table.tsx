import { type JSX, Match, Show, Switch } from "solid-js";
import type { Body } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatMinutes, formatMoney, formatNumber } from "../../texts/format.ts";
import { usage as t } from "../../texts/index.ts";
import { Loaded, Skeleton } from "../../ui/feedback.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { AgentLink, ApiKeyLink, CampaignLink } from "../../ui/named.tsx";
import { optionsOf } from "../../ui/options.ts";
import { Section } from "../../ui/page.tsx";
import { type Column, Table } from "../../ui/table.tsx";
import { Badge } from "../../ui/values.tsx";
import type { Window } from "./periods.ts";
import { type Group, usageByGroup } from "./queries.ts";
import styles from "./usage.module.css";

type Row = Body<"Usage">;

const NUMBERS: Column<Row>[] = [
  { header: t.columns.calls, cell: ({ calls }) => formatNumber(calls), numbers: true },
  { header: t.columns.answered, cell: ({ answered }) => formatNumber(answered), numbers: true, minor: true },
  { header: t.columns.conversations, cell: ({ conversations }) => formatNumber(conversations), numbers: true },
  { header: t.columns.minutes, cell: ({ minutes }) => formatMinutes(minutes), numbers: true, minor: true },
  { header: t.columns.input, cell: ({ input_tokens }) => formatNumber(input_tokens), numbers: true, minor: true },
  { header: t.columns.output, cell: ({ output_tokens }) => formatNumber(output_tokens), numbers: true, minor: true },
  { header: t.columns.tools, cell: ({ tool_runs }) => formatNumber(tool_runs), numbers: true, minor: true },
  { header: t.columns.cost, cell: (row) => <Cost of={row} />, numbers: true },
];

/** Usage and cost by agent, campaign, API key, kind or model, highest cost first. */
export function UsageTable(props: {
  window: Window;
  group: Group;
  onGroup: (group: Group) => void;
  actions: JSX.Element;
}) {
  const found = useQuery(() => usageByGroup(props.window, props.group));
  const columns = (): Column<Row>[] => [
    { header: t.groups[props.group], cell: (row) => <Name group={props.group} row={row} /> },
    ...NUMBERS,
  ];
  const rows = (usage: Row[]) =>
    usage.toSorted((a, b) => b.cost - a.cost || b.conversations - a.conversations || b.calls - a.calls);
  return (
    <Section title={t.by} actions={props.actions}>
      <div class={styles.group}>
        <SelectField
          label={t.by}
          labelHidden
          value={props.group}
          onInput={props.onGroup}
          options={optionsOf(t.groups)}
        />
      </div>
      <Loaded query={found} skeleton={<Skeleton rows lines={4} />}>
        {(used) => <Table label={t.byLabel(t.groups[props.group])} columns={columns()} rows={rows(used().usage)} />}
      </Loaded>
    </Section>
  );
}

/** The name of a row's agent, campaign, API key or kind. */
function Name(props: { group: Group; row: Row }) {
  const id = () => idOf(props.row, props.group);
  return (
    <Switch fallback={<span class="muted">{t.none[props.group]}</span>}>
      <Match when={props.group === "kind"}>{kindInWords(props.row.kind)}</Match>
      <Match when={props.group === "model" && props.row.model}>{(model) => <>{t.modelNamed(model())}</>}</Match>
      <Match when={props.group === "agent" && id()}>{(agent) => <AgentLink id={agent()} />}</Match>
      <Match when={props.group === "campaign" && id()}>{(campaign) => <CampaignLink id={campaign()} />}</Match>
      <Match when={props.group === "api_key" && id()}>{(key) => <ApiKeyLink id={key()} />}</Match>
    </Switch>
  );
}

function idOf({ agent_id, campaign_id, api_key_id }: Row, group: Group): string | null {
  const ids = { agent: agent_id, campaign: campaign_id, api_key: api_key_id, kind: null, model: null };
  return ids[group] ?? null;
}

function kindInWords(kind: string | undefined): string {
  const words: Record<string, string> = t.kinds;
  return words[kind ?? ""] ?? kind ?? "–";
}

/** A cost, with a mark if a price is unknown. */
function Cost(props: { of: Row }) {
  const amount = () => formatMoney(props.of.cost);
  return (
    <Show when={props.of.cost_incomplete > 0} fallback={amount()}>
      <Badge tone="warn">
        <span title={t.incompleteCost(props.of.cost_incomplete)}>{t.atLeast(amount())}</span>
      </Badge>
    </Show>
  );
}

import { Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { agentList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { inService, agents as t } from "../../texts/index.ts";
import { LinkButton } from "../../ui/button.tsx";
import { SelectField } from "../../ui/fields.tsx";
import { useFilters } from "../../ui/filters.ts";
import { serviceState } from "../../ui/in-service.ts";
import { AgentState } from "../../ui/in-service.tsx";
import { modelLabel } from "../../ui/model-names.ts";
import { optionsOf } from "../../ui/options.ts";
import { FilterBar } from "../../ui/page.tsx";
import { ResourceList } from "../../ui/resource-list.tsx";
import { SearchField } from "../../ui/search-field.tsx";
import type { Column } from "../../ui/table.tsx";
import { Time } from "../../ui/values.tsx";

type Agent = Body<"Agent">;

const COLUMNS: Column<Agent>[] = [
  { header: t.fields.name, cell: ({ name }) => name },
  { header: t.fields.status, cell: (agent) => <AgentState of={agent} /> },
  {
    header: t.list.speaks,
    cell: ({ llm_model, voice_provider }) => `${modelLabel(llm_model)}, ${t.voiceProviders[voice_provider]}`,
    minor: true,
  },
  {
    header: t.list.attached,
    cell: ({ tools, playbooks, faqs }) => (
      <Show when={tools.length + playbooks.length + faqs.length > 0} fallback={<span class="muted">–</span>}>
        {t.list.counts(tools.length, playbooks.length, faqs.length)}
      </Show>
    ),
    minor: true,
  },
  { header: t.list.updated, cell: ({ updated_at }) => <Time at={updated_at} />, numbers: true },
];

export default function Agents() {
  const list = useQuery(agentList);
  const filters = useFilters("name", "status");
  const matches = (agent: Agent) =>
    agent.name.toLowerCase().includes(filters.get("name").toLowerCase()) &&
    (filters.get("status") === "" || serviceState(agent) === filters.get("status"));
  return (
    <ResourceList
      texts={Object.assign({}, t, t.list)}
      path="/agents"
      newAt="/agents/new"
      query={list}
      rows={(agents) => agents.filter(matches)}
      columns={COLUMNS}
      ids={({ id }) => [id]}
      filters={filters}
      emptyAction={
        <LinkButton href="/marketplace" kind="primary">
          {t.list.fromTemplate}
        </LinkButton>
      }
    >
      <Show when={list.data?.length}>
        <FilterBar>
          <SearchField label={t.fields.name} {...filters.field("name")} />
          <SelectField
            label={t.fields.status}
            {...filters.field("status")}
            options={[{ value: "", label: t.list.anyStatus }, ...optionsOf(inService.states)]}
          />
        </FilterBar>
      </Show>
    </ResourceList>
  );
}

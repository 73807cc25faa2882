import { useLocation, useParams } from "@solidjs/router";
import { Match, Show, Switch } from "solid-js";
import { runsIn } from "../../api/built-in-tools.ts";
import type { Body } from "../../api/client.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatName } from "../../texts/format.ts";
import { tools as t } from "../../texts/index.ts";
import { Loaded } from "../../ui/feedback.tsx";
import { ById, SidePanel, Tabs } from "../../ui/page.tsx";
import { EditTool } from "./edit-tool.tsx";
import { NewTool } from "./new-tool.tsx";
import { toolById } from "./queries.ts";
import { RunTool } from "./run-tool.tsx";
import { ToolRuns } from "./tool-runs.tsx";

/** One tool: its definition, a run of it, and its last runs; `/tools/new` for one that is not there yet. */
export default function ToolPanel() {
  return <ById>{(id) => (id === "new" ? <NewTool /> : <StoredTool id={id} />)}</ById>;
}

function StoredTool(props: { id: string }) {
  const params = useParams<{ part?: string }>();
  const location = useLocation();
  const tool = useQuery(() => toolById(props.id));
  const tab = (label: string, part: string) => ({ label, href: `/tools/${props.id}${part}${location.search}` });
  const lead = (
    <Show when={tool.data}>
      {(found) => (
        <>
          <code>{found().name}</code> · {formatName(found().category)} · {t.runsIn[runsIn(found())]}
        </>
      )}
    </Show>
  );
  return (
    <SidePanel title={tool.data?.display_name ?? t.title} lead={lead} closeTo="/tools">
      <Tabs
        label={tool.data?.display_name ?? t.title}
        tabs={[tab(t.parts.definition, ""), tab(t.parts.run, "/run"), tab(t.parts.runs, "/runs")]}
      />
      <Loaded query={tool}>{(found) => <Part tool={found()} part={params.part} />}</Loaded>
    </SidePanel>
  );
}

function Part(props: { tool: Body<"Tool">; part: string | undefined }) {
  return (
    <Switch fallback={<EditTool tool={props.tool} />}>
      <Match when={props.part === "run"}>
        <RunTool tool={props.tool} />
      </Match>
      <Match when={props.part === "runs"}>
        <ToolRuns tool={props.tool} />
      </Match>
    </Switch>
  );
}

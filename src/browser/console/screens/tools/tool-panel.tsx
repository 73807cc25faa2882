import { useLocation, useParams } from "@solidjs/router";
import { Match, Switch } from "solid-js";
import { runsIn } from "../../api/built-in-tools.ts";
import type { Body } from "../../api/client.ts";
import { formatName } from "../../texts/format.ts";
import { tools as t } from "../../texts/index.ts";
import { Tabs } from "../../ui/page.tsx";
import { ResourcePanel } from "../../ui/resource-panel.tsx";
import { EditTool } from "./edit-tool.tsx";
import { toolById } from "./queries.ts";
import { RunTool } from "./run-tool.tsx";
import { ToolRuns } from "./tool-runs.tsx";

/** One tool: its definition, a run, and its recent runs. */
export default function ToolPanel() {
  const params = useParams<{ id: string; part?: string }>();
  const location = useLocation();
  const tab = (label: string, part: string) => ({ label, href: `/tools/${params.id}${part}${location.search}` });
  return (
    <ResourcePanel
      query={toolById}
      one={t.title}
      title={({ display_name }) => display_name}
      lead={(tool) => (
        <>
          <code>{tool().name}</code> · {formatName(tool().category)} · {t.runsIn[runsIn(tool())]}
        </>
      )}
      closeTo="/tools"
    >
      {(tool) => (
        <>
          <Tabs
            label={tool().display_name}
            tabs={[tab(t.parts.definition, ""), tab(t.parts.run, "/run"), tab(t.parts.runs, "/runs")]}
          />
          <Part tool={tool()} part={params.part} />
        </>
      )}
    </ResourcePanel>
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

import { A } from "@solidjs/router";
import { For, Show } from "solid-js";
import { type RunsIn, runsIn } from "../../api/built-in-tools.ts";
import type { Body } from "../../api/client.ts";
import { integrationsIn } from "../../api/integration-references.ts";
import { integrationList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { marketplace as t } from "../../texts/index.ts";
import { Loaded, Skeleton } from "../../ui/feedback.tsx";
import { Stack } from "../../ui/layout.tsx";
import { Badge } from "../../ui/values.tsx";
import styles from "./marketplace.module.css";
import { toolsOf } from "./queries.ts";

/** The integrations that a template's tools use, whether each is ready, and what else the tools need. */
export function TemplateNeeds(props: { template: Body<"AgentTemplate"> }) {
  const tools = useQuery(() => toolsOf(props.template));
  return (
    <Loaded query={tools} skeleton={<Skeleton lines={3} />}>
      {(found) => <Needs tools={found()} />}
    </Loaded>
  );
}

function Needs(props: { tools: Body<"Tool">[] }) {
  const integrations = useQuery(integrationList);
  const users = () => Object.entries(toolsByIntegration(props.tools));
  const namesOf = (where: RunsIn) =>
    props.tools.flatMap((tool) => (runsIn(tool) === where ? [tool.display_name] : [])).join(", ");
  const integrationNamed = (name: string) => integrations.data?.integrations.find((each) => each.name === name);
  return (
    <>
      <Show when={users().length > 0} fallback={<p>{t.needsNothing}</p>}>
        <p class="muted">{t.needsLead}</p>
        <Stack as="ul" gap={8}>
          <For each={users()}>
            {([name, tools]) => (
              <li>
                <div class="spread">
                  <A href={`/integrations/${name}`}>{integrationNamed(name)?.display_name ?? name}</A>
                  <Show when={integrationNamed(name)}>
                    {(integration) => (
                      <Badge tone={integration().ready ? "ok" : "warn"}>
                        {integration().ready ? t.ready : t.notReady}
                      </Badge>
                    )}
                  </Show>
                </div>
                <p class={`muted ${styles.names}`}>{tools.join(", ")}</p>
              </li>
            )}
          </For>
        </Stack>
      </Show>
      <Show when={namesOf("built_in")}>{(names) => <p class="muted">{t.builtIn(names())}</p>}</Show>
      <Show when={namesOf("own_runtime")}>{(names) => <p class="muted">{t.ownRuntime(names())}</p>}</Show>
    </>
  );
}

/** Returns the titles of the tools that use each integration. */
function toolsByIntegration(tools: Body<"Tool">[]): Record<string, string[]> {
  const users: Record<string, string[]> = {};
  for (const { display_name, implementation_config } of tools)
    for (const name of integrationsIn(implementation_config)) users[name] = [...(users[name] ?? []), display_name];
  return users;
}

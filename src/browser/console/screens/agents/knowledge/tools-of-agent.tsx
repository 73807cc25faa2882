import { A } from "@solidjs/router";
import { createSignal, For, Show } from "solid-js";
import { BUILT_IN_TOOLS } from "../../../api/built-in-tools.ts";
import { api, type Body, data } from "../../../api/client.ts";
import { inOrder } from "../../../api/in-order.ts";
import { may } from "../../../api/may.ts";
import { showAnswer } from "../../../api/queries.ts";
import { useQuery } from "../../../api/use-query.ts";
import { agents } from "../../../texts/index.ts";
import { Button, IconButton } from "../../../ui/button.tsx";
import { confirmed } from "../../../ui/confirm.tsx";
import { Empty, Loaded, Skeleton } from "../../../ui/feedback.tsx";
import { CheckField } from "../../../ui/fields.tsx";
import { Settings2 as Settings, X } from "../../../ui/icons.tsx";
import { Section } from "../../../ui/page.tsx";
import { notifyFailure } from "../../../ui/toast.tsx";
import { Badge } from "../../../ui/values.tsx";
import { useAgent } from "../agent-context.ts";
import { agentChanged, pythonTools, toolsOfAgent } from "../queries.ts";
import { AttachDialog } from "./attach-dialog.tsx";
import { toolCandidates } from "./candidates.ts";
import styles from "./knowledge.module.css";
import { MoveButtons } from "./move-buttons.tsx";
import { createOrder, type Step } from "./order.ts";
import { ToolSettings } from "./tool-settings.tsx";

type AgentTool = Body<"AgentTool">;
const { tools: t, detachThis } = agents.knowledge;

export function ToolsOfAgent() {
  const agent = useAgent();
  const query = useQuery(() => toolsOfAgent(agent().id));
  const order = createOrder("tools", () => agent().tools.map(({ tool_name }) => tool_name));
  const [isAttaching, setAttaching] = createSignal(false);
  const attach = async (tool_name: string) => {
    await put(agent().id, { tool_name, enabled: true, config: {} });
    await agentChanged();
  };
  const add = () => (
    <Button needs="putAgentTool" onClick={() => setAttaching(true)}>
      {t.attach}
    </Button>
  );
  return (
    <Section title={t.title} actions={<Show when={agent().tools.length > 0}>{add()}</Show>}>
      <p class="muted">{t.lead}</p>
      <Loaded query={query} skeleton={<Skeleton rows lines={3} />}>
        {(found) => (
          <Show
            when={found().tools.length > 0}
            fallback={
              <Empty title={t.emptyTitle} action={add()}>
                {t.empty}
              </Empty>
            }
          >
            <ol class={styles.rows}>
              <For each={order.shown()}>
                {(name, index) => (
                  <Show when={found().tools.find(({ tool_name }) => tool_name === name)}>
                    {(tool) => (
                      <OneTool
                        tool={tool()}
                        index={index()}
                        count={order.shown().length}
                        move={(step) => void order.move(name, step)}
                      />
                    )}
                  </Show>
                )}
              </For>
            </ol>
          </Show>
        )}
      </Loaded>
      <Show when={isAttaching()}>
        <AttachDialog
          title={t.attachTitle}
          candidates={toolCandidates}
          isAttached={({ name }) => agent().tools.some(({ tool_name }) => tool_name === name)}
          attach={attach}
          empty={t.none}
          onClose={() => setAttaching(false)}
        />
      </Show>
    </Section>
  );
}

function OneTool(props: { tool: AgentTool; index: number; count: number; move: (step: Step) => void }) {
  const agent = useAgent();
  const [isOpen, setOpen] = createSignal(false);
  const title = () =>
    agent().tools.find(({ tool_name }) => tool_name === props.tool.tool_name)?.display_name ?? props.tool.tool_name;

  const python = useQuery(pythonTools);
  const isPython = () => python.data?.tools.some(({ name }) => name === props.tool.tool_name) ?? false;
  const state = () => {
    if (BUILT_IN_TOOLS.includes(props.tool.tool_name)) return t.builtIn;
    if (!props.tool.enabled) return t.disabled;
    return isPython() ? t.ownRuntime : t.ready;
  };

  // Otherwise, changes of one tool made at almost the same time would undo each other.
  const send = inOrder();
  /** Stores a part of what the agent has of the tool. The request replaces all of it, so the rest is read before. */
  const change = async (part: Partial<Pick<AgentTool, "enabled" | "config">>) => {
    const { agent_id, tool_name } = props.tool;
    await send(async () => {
      const { tools } = await data(api.GET("/api/v1/agents/{id}/tools", { params: { path: { id: agent_id } } }));
      const { enabled, config } = tools.find((tool) => tool.tool_name === tool_name) ?? props.tool;
      await put(agent_id, { tool_name, enabled, config, ...part });
    });
    await agentChanged();
  };
  const enable = async (enabled: boolean) => {
    const { tool } = props;
    showEnabled(tool, enabled);
    try {
      await change({ enabled });
    } catch (error) {
      showEnabled(tool, !enabled);
      notifyFailure(error);
    }
  };
  const detach = () => {
    const { tool_name, config } = props.tool;
    const body = Object.keys(config).length > 0 ? t.detachWithConfig : t.detachBody;
    return confirmed({ title: t.detachTitle(title()), body, verb: t.detach }, async () => {
      const path = { id: agent().id, toolName: tool_name };
      await send(() => data(api.DELETE("/api/v1/agents/{id}/tools/{toolName}", { params: { path } })));
      await agentChanged();
    });
  };

  return (
    <li class={styles.row}>
      <div class={styles.what}>
        <CheckField
          disabled={!may("putAgentTool")}
          label={title()}
          value={props.tool.enabled}
          onInput={(enabled) => void enable(enabled)}
        />
        <div class={styles.under}>
          <A href={`/tools?search=${encodeURIComponent(props.tool.tool_name)}`}>
            <code>{props.tool.tool_name}</code>
          </A>
          <Show when={!props.tool.ready} fallback={<Badge tone={props.tool.enabled ? "ok" : "idle"}>{state()}</Badge>}>
            <Badge tone="warn">{t.notReady}</Badge>
            <span>
              {t.because(props.tool.reason ?? "")}{" "}
              <Show when={!isPython()}>
                <A href="/integrations">{t.connect}</A>
              </Show>
            </span>
          </Show>
        </div>
      </div>
      <div class={styles.buttons}>
        <MoveButtons title={title()} index={props.index} count={props.count} move={props.move} />
        <IconButton needs="putAgentTool" icon={Settings} label={t.settingsOf(title())} onClick={() => setOpen(true)} />
        <IconButton needs="deleteAgentTool" icon={X} label={detachThis(title())} onClick={() => void detach()} />
      </div>
      <Show when={isOpen()}>
        <ToolSettings
          title={title()}
          tool={props.tool}
          save={(config) => change({ config })}
          onClose={() => setOpen(false)}
        />
      </Show>
    </li>
  );
}

function put(id: string, body: Body<"AgentToolRequest">): Promise<AgentTool> {
  return data(api.PUT("/api/v1/agents/{id}/tools", { params: { path: { id } }, body }));
}

/** Shows a tool as on or off before the service confirms it, which is safe because one click undoes it. */
function showEnabled({ agent_id, tool_name }: AgentTool, enabled: boolean): void {
  showAnswer(toolsOfAgent(agent_id).queryKey, (shown: Body<"ListAgentToolsResponse"> | undefined) => {
    if (!shown) return shown;
    const tools = shown.tools.map((tool) =>
      tool.tool_name === tool_name ? Object.assign({}, tool, { enabled }) : tool,
    );
    return { tools };
  });
}

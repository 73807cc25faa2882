import type { Body } from "../../../api/client.ts";
import { storedBy } from "../../../api/use-query.ts";
import { agents, common } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { createForm } from "../../../ui/form.ts";
import { FormProblem } from "../../../ui/form-problem.tsx";
import { formatJson, objectIn } from "../../../ui/json.ts";
import { JsonField } from "../../../ui/json-field.tsx";
import { Row } from "../../../ui/layout.tsx";
import { fromList } from "../../../ui/resource-panel.tsx";
import { ScopedForm } from "../../../ui/scoped-form.tsx";
import { toolsOfAgent } from "../queries.ts";

type AgentTool = Body<"AgentTool">;
const t = agents.knowledge.tools;

const valuesOf = ({ config }: AgentTool) => ({ config: formatJson(config) });

export function ToolSettings(props: {
  title: string;
  tool: AgentTool;
  save: (config: AgentTool["config"]) => Promise<void>;
  onClose: () => void;
}) {
  const { agent_id, tool_name } = props.tool;
  const toolByName = fromList(
    () => toolsOfAgent(agent_id),
    ({ tools }, name) => tools.find((tool) => tool.tool_name === name),
  );
  const form = createForm({
    initial: valuesOf(props.tool),
    stored: storedBy(props.tool, toolByName(tool_name), valuesOf),
    save: async ({ config }) => {
      await props.save(objectIn(config) ?? {});
      props.onClose();
    },
  });
  const isWrong = () => objectIn(form.values.config) === undefined;
  return (
    <Dialog title={t.settingsOf(props.title)} onClose={props.onClose}>
      <ScopedForm needs="putAgentTool" onSubmit={form.submit} class="stack">
        <FormProblem form={form} />
        <JsonField
          label={t.config}
          hint={t.configHint}
          value={form.values.config}
          onInput={(value) => form.set("config", value)}
          error={isWrong() ? t.notJson : form.error("config")}
          rows={10}
        />
        <Row justify="end">
          <Button onClick={() => props.onClose()}>{common.cancel}</Button>
          <Button kind="primary" type="submit" busy={form.busy()} disabled={isWrong() || !form.dirty()}>
            {common.save}
          </Button>
        </Row>
      </ScopedForm>
    </Dialog>
  );
}

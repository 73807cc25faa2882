import { Show } from "solid-js";
import type { Body } from "../../../api/client.ts";
import { agents, common } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Failure } from "../../../ui/feedback.tsx";
import { createForm } from "../../../ui/form.ts";
import { formatJson, objectIn } from "../../../ui/json.ts";
import { JsonField } from "../../../ui/json-field.tsx";
import { Row } from "../../../ui/layout.tsx";
import { ScopedForm } from "../../../ui/scoped-form.tsx";

type Config = Body<"AgentTool">["config"];
const t = agents.knowledge.tools;

export function ToolSettings(props: {
  title: string;
  config: Config;
  save: (config: Config) => Promise<void>;
  onClose: () => void;
}) {
  const form = createForm({
    initial: { config: formatJson(props.config) },
    save: async ({ config }) => {
      await props.save(objectIn(config) ?? {});
      props.onClose();
    },
  });
  const isWrong = () => objectIn(form.values.config) === undefined;
  return (
    <Dialog title={t.settingsOf(props.title)} onClose={props.onClose}>
      <ScopedForm needs="putAgentTool" onSubmit={form.submit} class="stack">
        <Show when={form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
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

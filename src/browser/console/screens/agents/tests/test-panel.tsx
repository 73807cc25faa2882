import { A, useNavigate, useParams } from "@solidjs/router";
import { createSignal, Show } from "solid-js";
import { api, type Body, data } from "../../../api/client.ts";
import { may } from "../../../api/may.ts";
import { storedBy, useQuery } from "../../../api/use-query.ts";
import { common, agentTests as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Loaded, Note } from "../../../ui/feedback.tsx";
import { createForm } from "../../../ui/form.ts";
import { Play } from "../../../ui/icons.tsx";
import { Hidden } from "../../../ui/not-allowed.tsx";
import { SidePanel } from "../../../ui/page.tsx";
import { PanelFooter, PanelForm } from "../../../ui/panel-form.tsx";
import { useDelete } from "../../../ui/resource-panel.tsx";
import { notify } from "../../../ui/toast.tsx";
import { useAgent } from "../agent-context.ts";
import { agentChanged, testOfAgent } from "../queries.ts";
import { LastResult } from "./last-result.tsx";
import { RunDialog } from "./run-dialog.tsx";
import { TestFields } from "./test-fields.tsx";
import { NEW_TEST, testOf, valuesOf } from "./test-values.ts";

type Test = Body<"AgentTest">;

const listOf = (agentId: string) => `/agents/${agentId}/tests`;

export function NewTest() {
  const agent = useAgent();
  const navigate = useNavigate();
  const form = createForm({
    initial: NEW_TEST,
    save: async (values) => {
      const request = { params: { path: { id: agent().id } }, body: testOf(values) };
      const test = await data(api.POST("/api/v1/agents/{id}/tests", request));
      form.reset();
      await agentChanged();
      notify(t.form.created);
      navigate(`${listOf(agent().id)}/${test.id}`);
    },
  });
  return (
    <SidePanel title={t.add} closeTo={listOf(agent().id)}>
      <PanelForm form={form} needs="createAgentTest">
        <TestFields form={form} />
        <PanelFooter form={form} isNew />
      </PanelForm>
    </SidePanel>
  );
}

export default function TestPanel() {
  const params = useParams<{ testId: string }>();
  return (
    <Show when={params.testId} keyed>
      {(testId) => <OneTest testId={testId} />}
    </Show>
  );
}

function OneTest(props: { testId: string }) {
  const agent = useAgent();
  const test = useQuery(() => testOfAgent(agent().id, props.testId));
  return (
    <SidePanel title={test.data?.name ?? t.one} closeTo={listOf(agent().id)}>
      <Loaded query={test}>
        {(found) => (
          <Show when={found().steps !== null} fallback={<Hidden />}>
            <EditTest test={found()} />
          </Show>
        )}
      </Loaded>
    </SidePanel>
  );
}

function EditTest(props: { test: Test }) {
  const [isRunning, setRunning] = createSignal(false);
  const { id: testId, agent_id: id } = props.test;
  const form = createForm({
    initial: valuesOf(props.test),
    stored: storedBy(props.test, testOfAgent(id, testId), valuesOf),
    save: async (values, _before, headers) => {
      const request = { params: { path: { id, testId } }, body: testOf(values), headers };
      const saved = await data(api.PATCH("/api/v1/agents/{id}/tests/{testId}", request));
      await agentChanged();
      notify(common.saved);
      return saved;
    },
  });
  const confirmDelete = useDelete(listOf(id), "agents");
  const remove = () =>
    confirmDelete(
      {
        title: t.form.deleteTitle(props.test.name),
        body: props.test.required ? `${t.form.deleteRequired} ${t.form.deleteBody}` : t.form.deleteBody,
      },
      () => api.DELETE("/api/v1/agents/{id}/tests/{testId}", { params: { path: { id, testId } } }),
      t.form.deleted,
    );
  return (
    <>
      <div class="spread">
        <span>
          {t.form.lastRun}: <LastResult testId={testId} />
        </span>
        <Button
          needs="createTestRun"
          small
          icon={Play}
          disabled={form.dirty()}
          title={form.dirty() ? t.form.saveFirst : undefined}
          onClick={() => setRunning(true)}
        >
          {t.form.run}
        </Button>
      </div>
      <Show when={props.test.conversation_id}>
        {(conversation) => (
          <Note>
            <p>
              {t.form.of}. {t.form.ofMore} <A href={`/conversations/${conversation()}`}>{t.form.toConversation}</A>
            </p>
          </Note>
        )}
      </Show>
      <PanelForm form={form} needs="updateAgentTest">
        <TestFields form={form} />
        <PanelFooter form={form} onDelete={may("deleteAgentTest") ? remove : undefined} />
      </PanelForm>
      <Show when={isRunning()}>
        <RunDialog only={{ id: testId, name: props.test.name }} onClose={() => setRunning(false)} />
      </Show>
    </>
  );
}

import { type RouteSectionProps, useLocation, useParams } from "@solidjs/router";
import { createSignal, Show } from "solid-js";
import type { Body } from "../../../api/client.ts";
import { useQuery } from "../../../api/use-query.ts";
import { agentTests as t } from "../../../texts/index.ts";
import { Button, LinkButton } from "../../../ui/button.tsx";
import { Empty, Loaded, Skeleton } from "../../../ui/feedback.tsx";
import { Play, Plus } from "../../../ui/icons.tsx";
import { ListAndPanel, Section } from "../../../ui/page.tsx";
import { type Column, Table } from "../../../ui/table.tsx";
import { useAuthors } from "../../../ui/use-authors.ts";
import { Badge, Time } from "../../../ui/values.tsx";
import { useAgent } from "../agent-context.ts";
import { testRunsOf, testsOfAgent } from "../queries.ts";
import { LastResult, TONES } from "./last-result.tsx";
import { RunDialog } from "./run-dialog.tsx";
import { countTests, stateOf } from "./run-events.ts";

type Test = Body<"AgentTest">;
type Summary = Body<"TestRunSummary">;

const REFETCH_INTERVAL_MS = 5_000;

/** An agent's tests and their results, with the open test or run beside them. */
export default function Tests(props: RouteSectionProps) {
  const agent = useAgent();
  const params = useParams<{ testId?: string; runId?: string }>();
  const location = useLocation();
  const tests = useQuery(() => testsOfAgent(agent().id));
  const [isRunning, setRunning] = createSignal(false);
  const path = () => `/agents/${agent().id}/tests`;
  const isOpen = () => !/\/tests\/?$/.test(location.pathname);
  const columns: Column<Test>[] = [
    { header: t.columns.name, cell: ({ name }) => name },
    { header: t.columns.last, cell: ({ id }) => <LastResult testId={id} /> },
    {
      header: t.columns.required,
      cell: ({ required }) => (required ? t.required : <span class="muted">{t.optional}</span>),
      minor: true,
    },
    { header: t.columns.steps, cell: ({ steps }) => (steps ? t.steps(steps.length) : "–"), numbers: true, minor: true },
  ];
  return (
    <ListAndPanel
      isOpen={isOpen()}
      panel={props.children}
      list={
        <div class="stack">
          <Section
            title={t.title}
            actions={
              <Show when={(tests.data?.tests.length ?? 0) > 0}>
                <Button needs="createTestRun" icon={Play} onClick={() => setRunning(true)}>
                  {t.runAll}
                </Button>
                <LinkButton href={`${path()}/new`} kind="primary" icon={Plus}>
                  {t.add}
                </LinkButton>
              </Show>
            }
          >
            <p class="muted">{t.lead}</p>
            <Loaded query={tests} skeleton={<Skeleton rows lines={4} />}>
              {(found) => (
                <Table
                  label={t.title}
                  columns={columns}
                  rows={found().tests}
                  href={({ id }) => `${path()}/${id}`}
                  isOpen={({ id }) => id === params.testId}
                  empty={
                    <Empty
                      title={t.emptyTitle}
                      action={
                        <LinkButton href={`${path()}/new`} kind="primary" icon={Plus}>
                          {t.add}
                        </LinkButton>
                      }
                    >
                      {t.empty}
                    </Empty>
                  }
                />
              )}
            </Loaded>
          </Section>
          <History path={`${path()}/runs`} openId={params.runId} />
          <Show when={isRunning()}>
            <RunDialog onClose={() => setRunning(false)} />
          </Show>
        </div>
      }
    />
  );
}

const HISTORY: Column<Summary>[] = [
  { header: t.runs.columns.at, cell: ({ created_at }) => <Time at={created_at} /> },
  { header: t.runs.columns.result, cell: (run) => <HowItWent run={run} /> },
  { header: t.runs.columns.version, cell: ({ version }) => version, numbers: true },
  { header: t.runs.columns.by, cell: ({ created_by }) => <By actor={created_by} />, minor: true },
];

function By(props: { actor: string }) {
  const byWhom = useAuthors();
  return <>{byWhom(props.actor)}</>;
}

function HowItWent(props: { run: Summary }) {
  const passed = () => countTests(props.run, "passed");
  const tone = () => TONES[stateOf(props.run) ?? "failed"];
  return (
    <Show
      when={props.run.status === "completed"}
      fallback={<Badge tone={props.run.status === "running" ? "live" : "bad"}>{t.runs.status[props.run.status]}</Badge>}
    >
      <Badge tone={tone()}>{t.runs.summary(passed(), props.run.tests.length)}</Badge>
    </Show>
  );
}

function History(props: { path: string; openId: string | undefined }) {
  const agent = useAgent();
  const runs = useQuery(() => ({
    ...testRunsOf(agent().id),
    refetchInterval: ({ state }) =>
      state.data?.test_runs.some(({ status }) => status === "running") ? REFETCH_INTERVAL_MS : false,
  }));
  return (
    <Show when={(runs.data?.test_runs.length ?? 0) > 0}>
      <Section title={t.runs.title}>
        <p class="muted">{t.runs.lead}</p>
        <Table
          label={t.runs.title}
          columns={HISTORY}
          rows={runs.data?.test_runs}
          href={({ id }) => `${props.path}/${id}`}
          isOpen={({ id }) => id === props.openId}
        />
      </Section>
    </Show>
  );
}

import { createMemo, For, Show } from "solid-js";
import { api, type Body, data } from "../../../api/client.ts";
import { agentVersions } from "../../../api/lists.ts";
import { useQuery } from "../../../api/use-query.ts";
import { agentVersions as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { confirmed } from "../../../ui/confirm.tsx";
import { Empty, Loaded, Skeleton } from "../../../ui/feedback.tsx";
import { SelectField } from "../../../ui/fields.tsx";
import { useFilters } from "../../../ui/filters.ts";
import { RotateCcw } from "../../../ui/icons.tsx";
import { Stack } from "../../../ui/layout.tsx";
import { Section } from "../../../ui/page.tsx";
import { notify } from "../../../ui/toast.tsx";
import { useAuthors } from "../../../ui/use-authors.ts";
import { Badge, Time } from "../../../ui/values.tsx";
import { useAgent } from "../agent-context.ts";
import { PublishButton } from "../publish/publish-button.tsx";
import { agentChanged, testRunsOf, versionChanges } from "../queries.ts";
import { Difference } from "./difference.tsx";
import { testsOn } from "./tests-on.ts";
import styles from "./versions.module.css";
import { WholeVersion } from "./whole.tsx";

type Version = Body<"AgentVersion">;

/** The value in the address that selects the draft. */
const DRAFT = "draft";
/** The value in the address that shows a version in full, without a comparison. */
const WHOLE = "nothing";

/** An agent's versions: each in full, the differences between two, and the button to restore one. */
export default function Versions() {
  const agent = useAgent();
  const query = useQuery(() => agentVersions(agent().id));
  return (
    <Loaded query={query} skeleton={<Skeleton rows lines={4} />}>
      {(found) => <Chosen versions={found().versions} />}
    </Loaded>
  );
}

function Chosen(props: { versions: Version[] }) {
  const agent = useAgent();
  const filters = useFilters("version", "with");
  const numbered = createMemo(() => props.versions.filter((version) => version.number !== null));
  const unused = () => props.versions.find(({ number }) => number === null);
  const isManual = () => agent().versioning === "manual";
  /** The selected version: a number or `draft`. */
  const chosen = () => {
    const named = filters.get("version");
    if (named === DRAFT || numbered().some(({ number }) => String(number) === named)) return named;
    return isManual() || unused() ? DRAFT : String(numbered()[0]?.number ?? DRAFT);
  };
  const version = () => numbered().find(({ number }) => String(number) === chosen());
  const runs = useQuery(() => testRunsOf(agent().id));
  const tested = (number: number) => testsOn(runs.data?.test_runs ?? [], number);
  return (
    <div class="stack">
      <div class="spread">
        <p class="muted">{t.lead}</p>
        <Show when={!isManual()}>
          <PublishButton />
        </Show>
      </div>
      <div class={styles.versions}>
        <nav class={styles.list} aria-label={t.title}>
          <Show when={isManual() || unused()}>
            <a
              href={`?version=${DRAFT}`}
              replace
              noScroll
              class={styles.version}
              aria-current={chosen() === DRAFT ? "true" : undefined}
            >
              <span class={styles.name}>
                {isManual() ? t.draft : t.unused}
                <Show when={unused()?.live}>
                  <LiveBadge />
                </Show>
              </span>
              <span class="muted">
                {isManual() ? t.savedNow : agent().status === "active" ? t.unusedMore : t.unusedDraft}
              </span>
            </a>
          </Show>
          <For each={numbered()}>
            {(listed) => (
              <a
                href={`?version=${listed.number}`}
                replace
                noScroll
                class={styles.version}
                aria-current={String(listed.number) === chosen() ? "true" : undefined}
              >
                <span class={styles.name}>
                  {t.version(listed.number ?? 0)}
                  <Show when={listed.live}>
                    <LiveBadge />
                  </Show>
                </span>
                <Show when={listed.note}>{(note) => <span>{note()}</span>}</Show>
                <span class="muted">
                  <When version={listed} />
                </span>
                <TestState tested={tested(listed.number ?? 0)} />
              </a>
            )}
          </For>
        </nav>
        <Show
          when={version() ?? (chosen() === DRAFT && numbered().length > 0)}
          fallback={<Empty title={t.emptyTitle}>{isManual() ? t.emptyManual : t.emptyAuto}</Empty>}
        >
          <OneVersion chosen={chosen()} version={version()} versions={numbered()} filters={filters} />
        </Show>
      </div>
    </div>
  );
}

/** Badge of the version that new conversations use. It says "Live" only if the agent is active. */
function LiveBadge() {
  const agent = useAgent();
  return (
    <Show when={agent().status === "active"} fallback={<Badge tone="idle">{t.current}</Badge>}>
      <Badge tone="ok">{t.live}</Badge>
    </Show>
  );
}

/** Who published the version and when, otherwise when it was first used. */
function When(props: { version: Version }) {
  const byWhom = useAuthors();
  return (
    <Show
      when={props.version.published_at}
      fallback={
        <>
          {t.firstUsed} <Time at={props.version.created_at} />
        </>
      }
    >
      {(at) => (
        <>
          {t.published} {byWhom(props.version.published_by ?? "")}, <Time at={at()} />
        </>
      )}
    </Show>
  );
}

function TestState(props: { tested: number | undefined }) {
  return (
    <Show when={props.tested !== undefined}>
      <Badge tone={props.tested === 0 ? "ok" : "bad"}>
        {props.tested === 0 ? t.testsPassed : t.testsFailed(props.tested ?? 0)}
      </Badge>
    </Show>
  );
}

/** A version, in full or compared with another one. */
function OneVersion(props: {
  chosen: string;
  version: Version | undefined;
  versions: Version[];
  filters: ReturnType<typeof useFilters<"version" | "with">>;
}) {
  const agent = useAgent();
  const live = () => props.versions.find((version) => version.live);
  const others = () => props.versions.flatMap(({ number }) => (String(number) === props.chosen ? [] : (number ?? [])));
  const isDraft = () => props.version === undefined;
  /** The version to compare with: the one in the address, otherwise the one that this version replaced. */
  const against = () => {
    const named = props.filters.get("with");
    const isKnown = others().some((number) => String(number) === named) || (named === DRAFT && !isDraft());
    if (isKnown || (named === WHOLE && !isDraft())) return named;
    const before = isDraft() ? live()?.number : others().find((number) => number < Number(props.chosen));
    return String(before ?? (isDraft() ? (others()[0] ?? WHOLE) : WHOLE));
  };
  const options = () => [
    ...(isDraft() ? [] : [{ value: WHOLE, label: t.nothing }]),
    ...(isDraft() ? [] : [{ value: DRAFT, label: t.savedNow }]),
    ...others().map((number) => ({ value: String(number), label: t.version(number) })),
  ];
  /** The earlier version first; the draft is the latest. */
  const sides = (): [string, string] => {
    const [one, other] = [against(), props.chosen];
    return one === DRAFT || (other !== DRAFT && Number(one) > Number(other)) ? [other, one] : [one, other];
  };
  const inWords = (side: string) => {
    if (side !== DRAFT) return t.asVersion(Number(side));
    return agent().versioning === "manual" ? t.asDraft : t.asSaved;
  };
  const title = () => {
    if (against() === WHOLE) return t.version(Number(props.chosen));
    const [from, to] = sides();
    return t.changesFrom(inWords(from), inWords(to));
  };
  /** The live version needs no restoring if changes go live at once. */
  const restorable = () => (agent().versioning === "auto" && props.version?.live ? undefined : props.version);
  /** If changes go live when published, any version can be published. */
  const publishable = () =>
    agent().versioning === "manual" && !props.version?.live ? props.version?.number : undefined;
  const actions = () => (
    <>
      <Show when={publishable()}>{(number) => <PublishButton version={number()} />}</Show>
      <Show when={restorable()}>{(version) => <Restore version={version()} />}</Show>
    </>
  );
  return (
    <Section title={title()} actions={actions()}>
      <Stack max={280}>
        <SelectField
          label={t.compareWith}
          value={against()}
          options={options()}
          onInput={(value) => props.filters.set("with", value)}
        />
      </Stack>
      <Show when={against() !== WHOLE} fallback={<WholeVersion number={Number(props.chosen)} />}>
        <Compared from={sides()[0]} to={sides()[1]} />
      </Show>
    </Section>
  );
}

function Compared(props: { from: string; to: string }) {
  const agent = useAgent();
  const query = useQuery(() => versionChanges(agent().id, props.from, props.to));
  return <Loaded query={query}>{(found) => <Difference changes={found().changes} />}</Loaded>;
}

function Restore(props: { version: Version }) {
  const agent = useAgent();
  const number = () => props.version.number ?? 0;
  const restore = () => {
    const isManual = agent().versioning === "manual";
    const question = {
      title: t.restoreTitle(number()),
      body: (
        <>
          <p>{isManual ? t.restoreManual : t.restoreAuto}</p>
          <p class="muted">{t.restoreTexts}</p>
        </>
      ),
      verb: t.restore(number()),
    };
    return confirmed(question, async () => {
      const path = { id: agent().id, number: number() };
      await agentChanged(await data(api.POST("/api/v1/agents/{id}/versions/{number}/restore", { params: { path } })));
      notify(isManual ? t.restoredDraft(number()) : t.restored(number()));
    });
  };
  return (
    <Button needs="restoreAgentVersion" icon={RotateCcw} onClick={() => void restore()}>
      {t.restore(number())}
    </Button>
  );
}

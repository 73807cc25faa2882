import { useNavigate } from "@solidjs/router";
import { createSignal, For, Show } from "solid-js";
import { api, data } from "../../../api/client.ts";
import { agentVersions } from "../../../api/lists.ts";
import { useQuery } from "../../../api/use-query.ts";
import { agentTests, agentVersions as versions } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Dialog } from "../../../ui/dialog.tsx";
import { Failure, Note } from "../../../ui/feedback.tsx";
import { CheckField, Fields, NumberField, SelectField } from "../../../ui/fields.tsx";
import { useAgent } from "../agent-context.ts";
import { agentChanged, testsOfAgent, toolsOfAgent } from "../queries.ts";

const t = agentTests.run;
const MAX_REPEAT = 10;
/** Value of the option for the draft. */
const DRAFT = "";

type Which = "all" | "required" | "only";

/** Dialog to run tests: which, on which version, and how often. */
export function RunDialog(props: {
  onClose: () => void;
  /** The test for which it was opened. */
  only?: { id: string; name: string };
  /** The proposed version; the draft by default. */
  version?: number;
}) {
  const agent = useAgent();
  const navigate = useNavigate();
  const tests = useQuery(() => testsOfAgent(agent().id));
  const listed = useQuery(() => agentVersions(agent().id));
  const [which, setWhich] = createSignal<Which>(props.only ? "only" : "all");
  const [version, setVersion] = createSignal(props.version === undefined ? DRAFT : String(props.version));
  const [repeat, setRepeat] = createSignal<number | undefined>(1);
  const tools = useQuery(() => toolsOfAgent(agent().id));
  const [allowed, setAllowed] = createSignal<string[]>([]);
  const [failure, setFailure] = createSignal<unknown>();
  const [isBusy, setBusy] = createSignal(false);
  const all = () => tests.data?.tests ?? [];
  const required = () => all().filter((test) => test.required);
  const choices = () => [
    ...(props.only ? [{ value: "only" as const, label: t.onlyThis(props.only.name) }] : []),
    { value: "all" as const, label: t.all(all().length) },
    ...(required().length > 0 ? [{ value: "required" as const, label: t.onlyRequired(required().length) }] : []),
  ];
  const versionOptions = () => [
    { value: DRAFT, label: t.draft },
    ...(listed.data?.versions ?? []).flatMap(({ number, live }) =>
      number === null ? [] : [{ value: String(number), label: live ? t.live(number) : versions.version(number) }],
    ),
  ];
  const chosen = (): string[] | undefined => {
    if (which() === "all") return undefined;
    return which() === "only" && props.only ? [props.only.id] : required().map(({ id }) => id);
  };
  const usable = () => (tools.data?.tools ?? []).filter(({ enabled }) => enabled).map(({ tool_name }) => tool_name);
  const allow = (name: string, may: boolean) =>
    setAllowed((names) => (may ? [...names, name] : names.filter((other) => other !== name)));
  const run = async (event: SubmitEvent) => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      const named = chosen();
      const body = Object.assign(
        {
          version: version() === DRAFT ? null : Number(version()),
          repeat: repeat() ?? 1,
          allow_tools: allowed(),
        },
        named === undefined ? {} : { tests: named },
      );
      const created = await data(
        api.POST("/api/v1/agents/{id}/test-runs", { params: { path: { id: agent().id } }, body }),
      );
      // Refetches before navigating. A refetch while the next screen is loading can leave the old screen in place.
      await agentChanged();
      props.onClose();
      navigate(`/agents/${agent().id}/tests/runs/${created.id}`);
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog title={t.title} onClose={props.onClose}>
      <form noValidate class="stack" onSubmit={(event) => void run(event)}>
        <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
        <SelectField label={t.which} value={which()} options={tests.data ? choices() : undefined} onInput={setWhich} />
        <SelectField
          label={t.version}
          value={version()}
          options={listed.data ? versionOptions() : undefined}
          onInput={setVersion}
        />
        <NumberField
          label={t.repeat}
          hint={t.repeatHint}
          value={repeat()}
          onInput={setRepeat}
          min={1}
          max={MAX_REPEAT}
          step={1}
          required
        />
        <Show when={usable().length > 0}>
          <Fields legend={t.tools}>
            <p class="muted">{t.toolsLead}</p>
            <For each={usable()}>
              {(name) => (
                <CheckField label={name} value={allowed().includes(name)} onInput={(may) => allow(name, may)} />
              )}
            </For>
          </Fields>
          <Show when={allowed().length > 0}>
            <Note tone="warn">{t.toolsRun}</Note>
          </Show>
        </Show>
        <Note>{t.costs}</Note>
        <div>
          <Button kind="primary" type="submit" needs="createTestRun" busy={isBusy()}>
            {t.verb}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

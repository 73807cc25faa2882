import { A } from "@solidjs/router";
import { createSignal, For, Show } from "solid-js";
import { runsIn } from "../../api/built-in-tools.ts";
import { api, type Body, data } from "../../api/client.ts";
import { integrationsIn } from "../../api/integration-references.ts";
import { integrationList } from "../../api/lists.ts";
import { queries } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatName } from "../../texts/format.ts";
import { tools } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Failure, Note } from "../../ui/feedback.tsx";
import { Fields, TextField } from "../../ui/fields.tsx";
import { isObject } from "../../ui/json.ts";
import { Stack } from "../../ui/layout.tsx";
import { ScopedForm } from "../../ui/scoped-form.tsx";
import { ObjectFields } from "./argument-field.tsx";
import { givenValue, initialValue, readSchema } from "./argument-values.ts";
import { RunResult } from "./run-result.tsx";

const { run: t } = tools;

/** Runs a tool with values from a form generated from its schema, and shows the result. */
export function RunTool(props: { tool: Body<"Tool"> }) {
  return (
    <Show
      when={props.tool.implementation_type === "http"}
      fallback={<Note>{t[runsIn(props.tool) === "built_in" ? "built_in" : "own_runtime"]}</Note>}
    >
      <RunForm tool={props.tool} />
    </Show>
  );
}

function RunForm(props: { tool: Body<"Tool"> }) {
  const schema = () => withoutBound(props.tool);
  const [values, setValues] = createSignal(initialValue(schema(), true));
  const [bound, setBound] = createSignal<Record<string, string>>({});
  const boundNames = () => Object.keys(props.tool.bind);
  const [result, setResult] = createSignal<{ of: Body<"ToolRunResult">; isDry: boolean }>();
  const [failure, setFailure] = createSignal<unknown>();
  const [busy, setBusy] = createSignal<"run" | "dry">();
  const run = async (event: SubmitEvent) => {
    event.preventDefault();
    const isDry = event.submitter?.getAttribute("value") === "dry";
    setBusy(isDry ? "dry" : "run");
    setFailure(undefined);
    setResult(undefined);
    try {
      const path = { id: props.tool.id };
      const given = givenValue(schema(), values(), true);
      const body = { arguments: isObject(given) ? given : {}, bound: bound(), dry_run: isDry };
      setResult({ of: await data(api.POST("/api/v1/tools/{id}/run", { params: { path }, body })), isDry });
      await queries.invalidateQueries({ queryKey: ["tools", props.tool.id, "runs"] });
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(undefined);
    }
  };
  return (
    <Stack>
      <p class="muted">{t.lead}</p>
      <NotReady tool={props.tool} />
      <ScopedForm needs="runTool" onSubmit={(event) => void run(event)}>
        <Stack>
          <Show
            when={readSchema(schema()).properties.length > 0}
            fallback={boundNames().length === 0 && <p>{t.nothing}</p>}
          >
            <ObjectFields schema={schema()} value={values()} onInput={setValues} />
          </Show>
          <Show when={boundNames().length > 0}>
            <Fields legend={t.bound}>
              <For each={boundNames()}>
                {(name) => (
                  <TextField
                    label={formatName(name)}
                    hint={t.boundHint(sourceOf(props.tool, name))}
                    value={bound()[name] ?? ""}
                    onInput={(value) => setBound(Object.fromEntries([...Object.entries(bound()), [name, value]]))}
                    required
                  />
                )}
              </For>
            </Fields>
          </Show>
          <div class="row">
            <Button kind="primary" type="submit" busy={busy() === "run"} disabled={busy() !== undefined}>
              {t.verb}
            </Button>
            <Button type="submit" value="dry" busy={busy() === "dry"} disabled={busy() !== undefined}>
              {t.dry}
            </Button>
          </div>
        </Stack>
      </ScopedForm>
      <div aria-live="polite">
        <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
        <Show when={result()}>{(shown) => <RunResult result={shown().of} isDry={shown().isDry} />}</Show>
      </div>
    </Stack>
  );
}

function withoutBound({ schema, bind }: Body<"Tool">): Record<string, unknown> {
  const isFree = (name: unknown) => typeof name !== "string" || !Object.hasOwn(bind, name);
  const { properties, required } = schema;
  return Object.assign({}, schema, {
    properties: Object.fromEntries(Object.entries(isObject(properties) ? properties : {}).filter(([n]) => isFree(n))),
    required: Array.isArray(required) ? required.filter(isFree) : [],
  });
}

function sourceOf({ bind }: Body<"Tool">, name: string): string {
  const binding = bind[name];
  return typeof binding === "string" ? binding : (binding?.from ?? "");
}

function NotReady(props: { tool: Body<"Tool"> }) {
  const integrations = useQuery(integrationList);
  const lacking = () => {
    const used = integrationsIn(props.tool.implementation_config);
    const installed = integrations.data?.integrations ?? [];
    return installed.filter(({ name, ready }) => !ready && used.includes(name));
  };
  return (
    <Show when={lacking().length > 0}>
      <Note tone="warn">
        {t.notReady}
        <div class="row">
          <For each={lacking()}>{({ name, display_name }) => <A href={`/integrations/${name}`}>{display_name}</A>}</For>
        </div>
      </Note>
    </Show>
  );
}

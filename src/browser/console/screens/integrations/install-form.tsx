import { For, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { storedBy } from "../../api/queries.ts";
import { common, integrations as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { confirmed } from "../../ui/confirm.tsx";
import { Note } from "../../ui/feedback.tsx";
import { Fields, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Stack } from "../../ui/page.tsx";
import { tell } from "../../ui/toast.tsx";
import { integrationById, integrationsChanged } from "./queries.ts";

type Integration = Body<"Integration">;
type RequestedField = Body<"IntegrationField">;

interface Values {
  params: Record<string, string>;
  secrets: Record<string, string>;
}

/** Asks for what an integration needs, and installs it with that. What is stored stays where nothing is entered. */
export function InstallForm(props: { integration: Integration; onSaved: () => void }) {
  const { id, asks_for } = props.integration;
  const path = { id };
  const isInstalled = () => props.integration.status === "installed";
  const isStored = (name: string) => props.integration.secret_names.includes(name);
  const form = createForm<Values>({
    initial: valuesOf(props.integration),
    stored: Object.assign(storedBy(props.integration, integrationById(id), valuesOf), {
      isSecret: (path: string) => path.startsWith("secrets."),
    }),
    save: async ({ params, secrets }, _before, headers) => {
      const entered = Object.fromEntries(Object.entries(secrets).filter(([, value]) => value !== ""));
      const body = { params, secrets: entered };
      return data(api.POST("/api/v1/integrations/{id}/install", { params: { path }, body, headers }));
    },
  });
  const submit = async (event: Event) => {
    if (!(await form.submit(event))) return;
    // Secrets are gone from here as soon as they are stored.
    form.reset({ params: { ...form.values.params }, secrets: noSecrets(asks_for.secrets) });
    tell(isInstalled() ? common.saved : t.installed);
    props.onSaved();
    await integrationsChanged();
  };
  const takeAway = ({ name, label }: RequestedField) => {
    const question = { title: t.takeAwayTitle(label), body: t.takeAwayBody, verb: t.takeAway(label), danger: true };
    return confirmed(question, async () => {
      const body = { secrets: { [name]: null } };
      await data(api.POST("/api/v1/integrations/{id}/install", { params: { path }, body }));
      props.onSaved();
      await integrationsChanged();
    });
  };
  const labelOf = ({ label, required }: RequestedField) => (required ? label : t.optional(label));
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <FormProblem form={form} />
        <Show when={asks_for.params.length > 0}>
          <Fields legend={t.values}>
            <For each={asks_for.params}>
              {(asked) => (
                <TextField
                  label={labelOf(asked)}
                  hint={asked.description}
                  value={form.values.params[asked.name] ?? ""}
                  onInput={(value) => form.set("params", asked.name, value)}
                  error={form.error(`params.${asked.name}`)}
                  required={asked.required}
                  autocomplete="off"
                />
              )}
            </For>
          </Fields>
        </Show>
        <Show when={asks_for.secrets.length > 0}>
          <Fields legend={t.secrets}>
            <Note>{t.secretsHint}</Note>
            <For each={asks_for.secrets}>
              {(asked) => (
                <div>
                  <TextField
                    type="password"
                    label={labelOf(asked)}
                    hint={isStored(asked.name) ? t.stored : asked.description}
                    value={form.values.secrets[asked.name] ?? ""}
                    onInput={(value) => form.set("secrets", asked.name, value)}
                    error={form.error(`secrets.${asked.name}`)}
                    required={asked.required && !isStored(asked.name)}
                    placeholder={isStored(asked.name) ? "••••••••" : undefined}
                    autocomplete="new-password"
                  />
                  <Show when={isInstalled() && isStored(asked.name)}>
                    <Button small kind="quiet" onClick={() => void takeAway(asked)}>
                      {t.takeAway(asked.label)}
                    </Button>
                  </Show>
                </div>
              )}
            </For>
          </Fields>
        </Show>
        <div>
          <Button kind="primary" type="submit" busy={form.busy()} disabled={isInstalled() && !form.dirty()}>
            {isInstalled() ? common.save : hasAll(props.integration) ? t.installAgain : t.install}
          </Button>
        </div>
      </Stack>
    </form>
  );
}

function valuesOf({ asks_for, params }: Integration): Values {
  const stored = asks_for.params.map(({ name }) => [name, String(params[name] ?? "")]);
  return { params: Object.fromEntries(stored), secrets: noSecrets(asks_for.secrets) };
}

const noSecrets = (asked: RequestedField[]): Record<string, string> =>
  Object.fromEntries(asked.map(({ name }) => [name, ""]));

/** Whether everything it needs is stored still, from an earlier time. */
const hasAll = ({ missing, secret_names }: Integration): boolean => missing.length === 0 && secret_names.length > 0;

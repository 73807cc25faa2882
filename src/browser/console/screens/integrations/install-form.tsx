import { For, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { storedBy } from "../../api/use-query.ts";
import { common, integrations as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { confirmed } from "../../ui/confirm.tsx";
import { Note } from "../../ui/feedback.tsx";
import { Fields, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Stack } from "../../ui/layout.tsx";
import { ScopedForm } from "../../ui/scoped-form.tsx";
import { notify } from "../../ui/toast.tsx";
import { movedParams } from "./host-change.ts";
import { type OwnSecret, OwnSecrets } from "./own-secrets.tsx";
import { integrationById, integrationsChanged } from "./queries.ts";

type Integration = Body<"Integration">;
type RequestedSecret = Omit<Body<"IntegrationField">, "decides_host">;

interface Values {
  params: Record<string, string>;
  secrets: Record<string, string>;
  /** New secrets with names of the account's choice. */
  own: OwnSecret[];
}

/** Form for what an integration needs. Empty fields keep the stored values. */
export function InstallForm(props: { integration: Integration; onSaved: () => void }) {
  const { id, asks_for } = props.integration;
  const path = { id };
  const isInstalled = () => props.integration.status === "installed";
  const isStored = (name: string) => props.integration.secret_names.includes(name);
  /** The secrets that it asks for, and those that are stored already. */
  const secretFields = (): RequestedSecret[] => {
    const { any_secrets, secret_names } = props.integration;
    const own = any_secrets
      ? secret_names.map((name) => ({ name, label: name, required: false, description: "" }))
      : [];
    return [...asks_for.secrets, ...own];
  };
  const form = createForm<Values>({
    initial: valuesOf(props.integration),
    stored: Object.assign(storedBy(props.integration, integrationById(id), valuesOf), {
      isSecret: (path: string) => path.startsWith("secrets.") || path === "own",
    }),
    save: async ({ params, secrets, own }, _before, headers) => {
      const all = [...Object.entries(secrets), ...own.map(({ name, value }) => [name, value] as const)];
      const entered = Object.fromEntries(all.filter(([, value]) => value !== ""));
      const body = { params, secrets: entered };
      return data(api.POST("/api/v1/integrations/{id}/install", { params: { path }, body, headers }));
    },
  });
  /** Returns the changed parameters that lead to another host than the one the stored secrets were entered for. */
  const moved = () =>
    props.integration.secret_names.length > 0 ? movedParams(props.integration, form.values.params) : [];
  const isKept = (name: string) => isStored(name) && moved().length === 0;
  const submit = async (event: Event) => {
    const isLost = moved().length > 0 && props.integration.secret_names.some((name) => !form.values.secrets[name]);
    if (!(await form.submit(event))) return;
    // Clears the secrets once they are stored.
    form.reset({ params: { ...form.values.params }, secrets: noSecrets(secretFields()), own: [] });
    notify(isLost ? t.removed : isInstalled() ? common.saved : t.installed);
    props.onSaved();
    await integrationsChanged();
  };
  const takeAway = ({ name, label }: RequestedSecret) => {
    const question = { title: t.takeAwayTitle(label), body: t.takeAwayBody, verb: t.takeAway(label), danger: true };
    return confirmed(question, async () => {
      const body = { secrets: { [name]: null } };
      await data(api.POST("/api/v1/integrations/{id}/install", { params: { path }, body }));
      props.onSaved();
      await integrationsChanged();
    });
  };
  const labelOf = ({ label, required }: RequestedSecret) => (required ? label : t.optional(label));
  return (
    <ScopedForm needs="installIntegration" onSubmit={(event) => void submit(event)}>
      <Stack>
        <FormProblem form={form} />
        <Show when={asks_for.params.length > 0}>
          <Fields legend={t.values}>
            <For each={asks_for.params}>
              {(requested) => (
                <TextField
                  label={labelOf(requested)}
                  hint={requested.decides_host ? `${requested.description}. ${t.decidesHost}` : requested.description}
                  value={form.values.params[requested.name] ?? ""}
                  onInput={(value) => form.set("params", requested.name, value)}
                  error={form.error(`params.${requested.name}`)}
                  required={requested.required}
                  autocomplete="off"
                />
              )}
            </For>
          </Fields>
        </Show>
        <Show when={asks_for.secrets.length > 0 || props.integration.any_secrets}>
          <Fields legend={t.secrets}>
            <Note>{t.secretsHint}</Note>
            <div role="status">
              <Show when={moved().length > 0}>
                <Note tone="warn">{t.moves(moved().join(", "))}</Note>
              </Show>
            </div>
            <For each={secretFields()}>
              {(requested) => (
                <div>
                  <TextField
                    type="password"
                    label={labelOf(requested)}
                    hint={
                      isKept(requested.name) ? t.stored : isStored(requested.name) ? t.again : requested.description
                    }
                    value={form.values.secrets[requested.name] ?? ""}
                    onInput={(value) => form.set("secrets", requested.name, value)}
                    error={form.error(`secrets.${requested.name}`)}
                    required={requested.required && !isKept(requested.name)}
                    placeholder={isKept(requested.name) ? "••••••••" : undefined}
                    autocomplete="new-password"
                  />
                  <Show when={isInstalled() && isStored(requested.name)}>
                    <Button small kind="quiet" onClick={() => void takeAway(requested)}>
                      {t.takeAway(requested.label)}
                    </Button>
                  </Show>
                </div>
              )}
            </For>
            <Show when={props.integration.any_secrets}>
              <OwnSecrets
                secrets={form.values.own}
                stored={props.integration.secret_names}
                onChange={(own) => form.set("own", own)}
                error={(name) => form.error(`secrets.${name}`)}
              />
            </Show>
          </Fields>
        </Show>
        <div>
          <Button kind="primary" type="submit" busy={form.busy()} disabled={isInstalled() && !form.dirty()}>
            {isInstalled() ? common.save : hasAll(props.integration) ? t.installAgain : t.install}
          </Button>
        </div>
      </Stack>
    </ScopedForm>
  );
}

function valuesOf({ asks_for, params, any_secrets, secret_names }: Integration): Values {
  const stored = asks_for.params.map(({ name }) => [name, String(params[name] ?? "")]);
  const own = any_secrets ? secret_names.map((name) => ({ name })) : [];
  return { params: Object.fromEntries(stored), secrets: noSecrets([...asks_for.secrets, ...own]), own: [] };
}

const noSecrets = (requested: Pick<RequestedSecret, "name">[]): Record<string, string> =>
  Object.fromEntries(requested.map(({ name }) => [name, ""]));

/** Checks whether everything it needs is still stored from an earlier installation. */
const hasAll = ({ missing, secret_names }: Integration): boolean => missing.length === 0 && secret_names.length > 0;

import { A, useNavigate } from "@solidjs/router";
import { createSignal, createUniqueId, For, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { agentList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { formatName } from "../../texts/format.ts";
import { common, marketplace as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure, Loaded, Skeleton } from "../../ui/feedback.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Row } from "../../ui/layout.tsx";
import { ScopedForm } from "../../ui/scoped-form.tsx";
import { installedTemplate } from "./queries.ts";

type Installed = Body<"InstallTemplateResponse">;

/** Dialog that asks for the agent's name, creates the agent and shows what was created. */
export function InstallDialog(props: { template: Body<"AgentTemplate">; onClose: () => void }) {
  const navigate = useNavigate();
  const form = createUniqueId();
  const agents = useQuery(agentList);
  const [installed, setInstalled] = createSignal<Installed>();
  const [isBusy, setBusy] = createSignal(false);
  return (
    <Dialog
      title={installed() ? t.installedTitle(installed()?.name ?? "") : t.installTitle(props.template.name)}
      onClose={props.onClose}
      footer={
        <Show
          when={installed()}
          fallback={
            <>
              <Button onClick={() => props.onClose()}>{common.cancel}</Button>
              <Button kind="primary" type="submit" form={form} busy={isBusy()} disabled={!agents.data}>
                {t.install}
              </Button>
            </>
          }
        >
          {(installed) => (
            <>
              <Button onClick={() => props.onClose()}>{common.close}</Button>
              <Button kind="primary" onClick={() => navigate(`/agents/${installed().agent_id}`)}>
                {t.open}
              </Button>
            </>
          )}
        </Show>
      }
    >
      <Show
        when={installed()}
        fallback={
          <Loaded query={agents} skeleton={<Skeleton lines={2} />}>
            {(found) => (
              <NameForm
                id={form}
                template={props.template}
                names={new Set(found().map(({ name }) => name))}
                onBusy={setBusy}
                onInstalled={setInstalled}
              />
            )}
          </Loaded>
        }
      >
        {(installed) => <InstalledParts of={installed()} />}
      </Show>
    </Dialog>
  );
}

function NameForm(props: {
  id: string;
  template: Body<"AgentTemplate">;
  /** The names of the account's agents. */
  names: Set<string>;
  onBusy: (isBusy: boolean) => void;
  onInstalled: (installed: Installed) => void;
}) {
  const [name, setName] = createSignal(freeName(props.template.name, props.names));
  const [failure, setFailure] = createSignal<unknown>();
  const install = async (event: Event) => {
    event.preventDefault();
    props.onBusy(true);
    setFailure(undefined);
    try {
      const path = { id: props.template.id };
      const body = { name: name().trim() };
      props.onInstalled(await data(api.POST("/api/v1/marketplace/agents/{id}/install", { params: { path }, body })));
      await installedTemplate();
    } catch (error) {
      setFailure(error);
    } finally {
      props.onBusy(false);
    }
  };
  return (
    <>
      <p>{t.installLead}</p>
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      <ScopedForm needs="installTemplate" id={props.id} onSubmit={(event) => void install(event)}>
        <TextField
          label={t.name}
          hint={props.names.has(name().trim()) ? t.nameTaken : t.nameHint}
          value={name()}
          onInput={setName}
          maxlength={200}
          required
        />
      </ScopedForm>
    </>
  );
}

/** What was created, with links. */
function InstalledParts(props: { of: Installed }) {
  const list = (title: string, address: string, names: string[]) => (
    <Show when={names.length > 0}>
      <div>
        <h3>{title}</h3>
        <Row as="ul" gap={[4, 16]}>
          <For each={names}>
            {(name) => (
              <li>
                <A href={`${address}/${name}`}>{formatName(name)}</A>
              </li>
            )}
          </For>
        </Row>
      </div>
    </Show>
  );
  return (
    <>
      <p>{t.installed}</p>
      {list(t.withPlaybooks, "/playbooks", props.of.playbooks)}
      {list(t.withFaqs, "/faqs", props.of.faqs)}
      {list(t.withTools, "/tools", props.of.tools)}
    </>
  );
}

/** Returns the name, with a number appended if an agent has it already. */
function freeName(name: string, taken: Set<string>): string {
  for (let number = 2, free = name; ; number++) {
    if (!taken.has(free)) return free;
    free = `${name} ${number}`;
  }
}

import { A, useNavigate } from "@solidjs/router";
import { useQuery } from "@tanstack/solid-query";
import { createSignal, createUniqueId, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { common, marketplace as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Failure, Loaded, Skeleton } from "../../ui/feedback.tsx";
import { TextField } from "../../ui/fields.tsx";
import { Tags } from "../../ui/tags-field.tsx";
import styles from "./marketplace.module.css";
import { agentList, installedTemplate } from "./queries.ts";

type Installed = Body<"InstallTemplateResponse">;

/** Asks what the agent is to be called, makes it, and says what was made. */
export function InstallDialog(props: { template: Body<"AgentTemplate">; onClose: () => void }) {
  const agents = useQuery(agentList);
  const [installed, setInstalled] = createSignal<Installed>();
  return (
    <Show
      when={installed()}
      fallback={
        <Loaded query={agents} skeleton={<Skeleton lines={1} />}>
          {(found) => (
            <NameForm
              template={props.template}
              names={new Set(found().map(({ name }) => name))}
              onInstalled={setInstalled}
              onClose={props.onClose}
            />
          )}
        </Loaded>
      }
    >
      {(made) => <Made of={made()} onClose={props.onClose} />}
    </Show>
  );
}

function NameForm(props: {
  template: Body<"AgentTemplate">;
  /** What the account's agents are called. */
  names: Set<string>;
  onInstalled: (made: Installed) => void;
  onClose: () => void;
}) {
  const form = createUniqueId();
  const [name, setName] = createSignal(freeName(props.template.name, props.names));
  const [failure, setFailure] = createSignal<unknown>();
  const [isBusy, setBusy] = createSignal(false);
  const install = async (event: Event) => {
    event.preventDefault();
    setBusy(true);
    setFailure(undefined);
    try {
      const path = { id: props.template.id };
      const body = { name: name().trim() };
      const made = await data(api.POST("/api/v1/marketplace/agents/{id}/install", { params: { path }, body }));
      props.onInstalled(made);
      await installedTemplate();
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t.installTitle(props.template.name)}
      onClose={props.onClose}
      footer={
        <>
          <Button onClick={() => props.onClose()}>{common.cancel}</Button>
          <Button kind="primary" type="submit" form={form} busy={isBusy()}>
            {t.install}
          </Button>
        </>
      }
    >
      <p>{t.installLead}</p>
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      <form id={form} onSubmit={install}>
        <TextField
          label={t.name}
          hint={props.names.has(name().trim()) ? t.nameTaken : t.nameHint}
          value={name()}
          onInput={setName}
          maxLength={200}
          required
        />
      </form>
    </Dialog>
  );
}

/** What was made, and the way to it. */
function Made(props: { of: Installed; onClose: () => void }) {
  const navigate = useNavigate();
  const list = (title: string, address: string, names: string[]) => (
    <Show when={names.length > 0}>
      <div class={styles.items}>
        <A href={address}>{title}</A>
        <Tags of={names} />
      </div>
    </Show>
  );
  return (
    <Dialog
      title={t.installedTitle(props.of.name)}
      onClose={props.onClose}
      footer={
        <>
          <Button onClick={() => props.onClose()}>{common.close}</Button>
          <Button kind="primary" onClick={() => navigate(`/agents/${props.of.agent_id}`)}>
            {t.open}
          </Button>
        </>
      }
    >
      <p>{t.installed}</p>
      {list(t.withPlaybooks, "/playbooks", props.of.playbooks)}
      {list(t.withFaqs, "/faqs", props.of.faqs)}
      {list(t.withTools, "/tools", props.of.tools)}
    </Dialog>
  );
}

/** The name, or with the first number behind it that no agent has. */
function freeName(name: string, taken: Set<string>): string {
  for (let number = 2, free = name; ; number++) {
    if (!taken.has(free)) return free;
    free = `${name} ${number}`;
  }
}

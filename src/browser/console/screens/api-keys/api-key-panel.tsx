import { useNavigate } from "@solidjs/router";
import { Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { apiKeyList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { common, apiKeys as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { confirmed } from "../../ui/confirm.tsx";
import { Failure, Loaded, NotFound } from "../../ui/feedback.tsx";
import { Fields, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { now } from "../../ui/now.ts";
import { ById, SidePanel } from "../../ui/page.tsx";
import { tell, tellFailure } from "../../ui/toast.tsx";
import { Badge, Fact, Facts, Time } from "../../ui/values.tsx";
import { keysChanged, stateOf, TONES } from "./queries.ts";

/** One key: its name, whether it opens the door, and its end. */
export default function ApiKeyPanel() {
  return <ById>{(id) => <KeyById id={id} />}</ById>;
}

function KeyById(props: { id: string }) {
  const keys = useQuery(apiKeyList);
  const missing = () => (
    <SidePanel title={t.key} closeTo="/api-keys">
      <NotFound />
    </SidePanel>
  );
  return (
    <Loaded query={keys}>
      {(found) => (
        <Show when={found().find(({ id }) => id === props.id)} fallback={missing()}>
          {(key) => <Key apiKey={key()} />}
        </Show>
      )}
    </Loaded>
  );
}

function Key(props: { apiKey: Body<"ApiKey"> }) {
  const navigate = useNavigate();
  const path = { id: props.apiKey.id };
  const name = () => props.apiKey.name;
  const state = () => stateOf(props.apiKey, now());
  const patch = async (body: Body<"UpdateApiKeyRequest">) => {
    await data(api.PATCH("/api/v1/api-keys/{id}", { params: { path }, body }));
    await keysChanged();
    tell(common.saved);
  };
  const form = createForm({ initial: { name: name() }, save: patch });

  const disable = () => {
    const question = { title: t.disableTitle(name()), body: t.disableBody, verb: t.disable, danger: true };
    return confirmed(question, () => patch({ disabled: true }));
  };
  const remove = () => {
    const question = { title: t.deleteTitle(name()), body: t.deleteBody, verb: common.delete, danger: true };
    return confirmed(question, async () => {
      await data(api.DELETE("/api/v1/api-keys/{id}", { params: { path } }));
      form.reset();
      navigate("/api-keys");
      await keysChanged();
    });
  };

  return (
    <SidePanel
      title={name()}
      lead={<Badge tone={TONES[state()]}>{t.states[state()]}</Badge>}
      closeTo="/api-keys"
      actions={
        <>
          <Show when={state() === "disabled"} fallback={<Button onClick={() => void disable()}>{t.disable}</Button>}>
            <Button onClick={() => void patch({ disabled: false }).catch(tellFailure)}>{t.enable}</Button>
          </Show>
          <Button kind="danger" onClick={() => void remove()}>
            {common.delete}
          </Button>
        </>
      }
    >
      <Facts>
        <Fact name={t.fields.key}>
          <code>…{props.apiKey.last8}</code>
        </Fact>
        <Fact name={t.fields.created}>
          <Time at={props.apiKey.created_at} />
        </Fact>
        <Fact name={t.fields.used}>
          <Time at={props.apiKey.last_used_at} />
        </Fact>
        <Fact name={t.fields.expires}>
          <Show when={props.apiKey.expires_at} fallback={t.never}>
            {(at) => <Time at={at()} />}
          </Show>
        </Fact>
      </Facts>
      <form onSubmit={(event) => void form.submit(event)}>
        <Fields>
          <Show when={form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
          <TextField
            label={t.fields.name}
            value={form.values.name}
            onInput={(value) => form.set("name", value)}
            error={form.error("name")}
            required
          />
          <div>
            <Button type="submit" busy={form.busy()} disabled={!form.dirty()}>
              {common.save}
            </Button>
          </div>
        </Fields>
      </form>
    </SidePanel>
  );
}

import { useNavigate } from "@solidjs/router";
import { createSignal, For, getOwner, runWithOwner, Show } from "solid-js";
import { api, data } from "../../../api/client.ts";
import { widgetKeyList } from "../../../api/lists.ts";
import { invalidate, queries } from "../../../api/queries.ts";
import { agents as t } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { confirm } from "../../../ui/confirm.tsx";
import { Failure } from "../../../ui/feedback.tsx";
import { groupedNumber } from "../../../ui/phone-number.ts";
import { useAgent } from "../agent-context.ts";
import { numbersOfAgent } from "../queries.ts";
import styles from "./settings.module.css";

/** Deletes the agent after the user confirms what is lost with it. */
export function DeleteAgent(props: { onDeleted: () => void }) {
  const agent = useAgent();
  const navigate = useNavigate();
  const [failure, setFailure] = createSignal<unknown>();
  const [isBusy, setBusy] = createSignal(false);
  // A component created after an await has no owner.
  const owner = getOwner();
  const remove = async () => {
    const { id, name } = agent();
    setFailure(undefined);
    setBusy(true);
    try {
      const losses = await lossesOf(id);
      const body = runWithOwner(owner, () => <Losses of={losses} />);
      if (!(await confirm({ title: t.delete.title(name), body, verb: t.delete.verb, danger: true }))) return;
      await data(api.DELETE("/api/v1/agents/{id}", { params: { path: { id } } }));
      props.onDeleted();
      navigate("/agents");
      queries.removeQueries({ queryKey: ["agents", id] });
      await invalidate("agents", "numbers", "widget-keys");
    } catch (error) {
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <section class={styles.delete} aria-label={t.delete.section}>
      <h2>{t.delete.section}</h2>
      <p class="muted">{t.delete.lead}</p>
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
      <div>
        <Button kind="danger" busy={isBusy()} onClick={() => void remove()}>
          {t.delete.verb}
        </Button>
      </div>
    </section>
  );
}

/** Returns what is lost with an agent, one sentence each. */
async function lossesOf(id: string): Promise<string[]> {
  const [{ numbers }, keys] = await Promise.all([
    queries.fetchQuery(numbersOfAgent(id)),
    queries.fetchQuery(widgetKeyList()),
  ]);
  return [
    ...numbers.map(({ e164 }) => t.delete.number(groupedNumber(e164))),
    ...keys.filter(({ agent_id }) => agent_id === id).map(({ name }) => t.delete.widgetKey(name)),
  ];
}

function Losses(props: { of: string[] }) {
  return (
    <>
      <Show when={props.of.length > 0}>
        <ul class={styles.losses}>
          <For each={props.of}>{(loss) => <li>{loss}</li>}</For>
        </ul>
      </Show>
      <p>{t.delete.body}</p>
      <p class="muted">{t.delete.undone}</p>
    </>
  );
}

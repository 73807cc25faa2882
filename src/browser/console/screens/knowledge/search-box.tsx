import { createSignal, For, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { agentList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { knowledge } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { SelectField, TextField } from "../../ui/fields.tsx";
import { Search } from "../../ui/icons.tsx";
import { Row } from "../../ui/layout.tsx";
import { Section } from "../../ui/page.tsx";
import { notifyFailure } from "../../ui/toast.tsx";
import styles from "./knowledge.module.css";

const t = knowledge.search;

export function SearchBox() {
  const [query, setQuery] = createSignal("");
  const [agent, setAgent] = createSignal("");
  const [found, setFound] = createSignal<Body<"KnowledgeResult">[] | null>(null);
  const agents = useQuery(agentList);
  const options = () => [
    { value: "", label: t.all },
    ...(agents.data ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ];
  const search = async (event: SubmitEvent) => {
    event.preventDefault();
    if (query().trim() === "") return;
    const body = { query: query(), limit: 5, ...(agent() !== "" && { agent_id: agent() }) };
    try {
      setFound((await data(api.POST("/api/v1/knowledge/search", { body }))).results);
    } catch (error) {
      notifyFailure(error);
    }
  };
  return (
    <Section title={t.title}>
      <form onSubmit={(event) => void search(event)} noValidate>
        <Row align="end">
          <TextField label={t.label} value={query()} onInput={setQuery} maxlength={300} size={32} />
          <SelectField label={t.agent} value={agent()} onInput={setAgent} options={options()} />
          <Button type="submit" icon={Search}>
            {t.verb}
          </Button>
        </Row>
      </form>
      <div aria-live="polite" class={styles.results}>
        <Show when={found()}>
          {(results) => (
            <For each={results()} fallback={<p class="muted">{t.nothing}</p>}>
              {({ title, heading, text }) => (
                <details>
                  <summary>{[title, heading].filter((part) => part !== "").join(" › ")}</summary>
                  <p class={styles.found}>{text}</p>
                </details>
              )}
            </For>
          )}
        </Show>
      </div>
    </Section>
  );
}

import { A } from "@solidjs/router";
import { Show } from "solid-js";
import { modelList } from "../api/lists.ts";
import { may } from "../api/may.ts";
import { useQuery } from "../api/use-query.ts";
import { noModel as t } from "../texts/index.ts";
import { Note } from "./feedback.tsx";

/** Says that the scripted agent answers and what to do: for one model, or if no model is connected at all. */
export function NoModel(props: { llmModel?: string }) {
  const query = useQuery(modelList);
  const isScripted = () => {
    const models = query.data?.models.filter(({ llm_model }) => llm_model === (props.llmModel ?? llm_model)) ?? [];
    return models.length > 0 && models.every(({ answers_with }) => answers_with === "scripted");
  };
  const isElsewhere = () => query.data?.models.some(({ answers_with }) => answers_with !== "scripted") ?? false;
  return (
    <Show when={isScripted()}>
      <Note tone="warn">
        <strong>{isElsewhere() ? t.notThis(props.llmModel ?? "") : t.none}</strong>
        {/* In one element, because a note arranges its children below each other. */}
        <span>
          {t.scripted}{" "}
          <Show when={may("installIntegration")} fallback={t.whoConnects}>
            {t.connect} <A href="/integrations/openai">OpenAI</A> {t.or} <A href="/integrations/anthropic">Anthropic</A>{" "}
            {t.where}
          </Show>
        </span>
      </Note>
    </Show>
  );
}

import { documentList } from "../../../api/lists.ts";
import { useQuery } from "../../../api/use-query.ts";
import { agentTests as t } from "../../../texts/index.ts";
import { SelectField } from "../../../ui/fields.tsx";
import { useAgent } from "../agent-context.ts";

/** A choice among the account's documents, those of the agent first. */
export function DocumentField(props: { value: string; onInput: (id: string) => void; error: string | undefined }) {
  const agent = useAgent();
  const documents = useQuery(documentList);
  const options = () => {
    const own = agent().knowledge.map(({ document_id, title }) => ({ value: document_id, label: title }));
    const has = new Set(own.map(({ value }) => value));
    const others = (documents.data?.documents ?? [])
      .filter(({ id }) => !has.has(id))
      .map(({ id, title }) => ({ value: id, label: title }));
    const all = [{ value: "", label: t.form.chooseDocument }, ...own, ...others];
    // A document that was deleted, or that is older than those listed, stays chosen.
    return all.some(({ value }) => value === props.value) ? all : [...all, { value: props.value, label: props.value }];
  };
  return (
    <SelectField
      label={t.values.cited}
      value={props.value}
      onInput={props.onInput}
      options={options()}
      error={props.error}
    />
  );
}

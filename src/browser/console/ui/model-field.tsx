import type { JSX } from "solid-js";
import { modelList } from "../api/lists.ts";
import { useQuery } from "../api/use-query.ts";
import { modelField as t } from "../texts/index.ts";
import { SelectField } from "./fields.tsx";
import { modelOptions, modelsEnd } from "./model-names.ts";

/** Field that names a model. Each choice shows its price and whether the model is connected. */
export function ModelField(props: {
  label: string;
  hint: JSX.Element;
  /** Null for no model. */
  value: string | null;
  onInput(value: string | null): void;
  /** The label for no model; omitted if one is required. */
  none?: string;
  error?: string | undefined;
  "data-field"?: string | undefined;
}) {
  const query = useQuery(modelList);
  const models = () => query.data?.models ?? [];
  const none = () => (props.none === undefined ? [] : [{ value: "", label: props.none }]);
  const ending = () => modelsEnd(models(), props.value);
  return (
    <SelectField
      label={props.label}
      hint={
        <>
          {ending()?.replaced_by && <strong>{t.ends(ending())} </strong>}
          {props.hint}
        </>
      }
      error={props.error}
      data-field={props["data-field"]}
      value={props.value ?? ""}
      options={[...none(), ...modelOptions(models(), props.value)]}
      onInput={(value) => props.onInput(value || null)}
    />
  );
}

import { useLocation, useNavigate } from "@solidjs/router";
import { Show } from "solid-js";
import { api, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { erasures as t } from "../../texts/index.ts";
import { confirm } from "../../ui/confirm.tsx";
import { namedPerson, type Subject } from "../../ui/erase-button.tsx";
import { Note } from "../../ui/feedback.tsx";
import { SelectField, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { optionsOf } from "../../ui/options.ts";
import { SidePanel } from "../../ui/page.tsx";
import { FieldsForm } from "../../ui/panel-form.tsx";
import { notify } from "../../ui/toast.tsx";

/** Form that erases a person after a confirmation. */
export default function ErasePerson() {
  const navigate = useNavigate();
  const location = useLocation();
  const named = namedPerson(location.state) ?? { by: "phone_number", value: "" };
  const values: Record<Subject, string> & { by: Subject } = {
    by: named.by,
    phone_number: "",
    visitor_id: "",
    conversation_id: "",
  };
  values[named.by] = named.value;
  const form = createForm({
    initial: values,
    save: async (entered) => {
      const value = entered[entered.by].trim();
      const sure = await confirm({
        title: t.form.sureTitle,
        body: t.form.sureBody(value),
        verb: t.erase,
        danger: true,
      });
      if (!sure) return;
      const body = { [entered.by]: value };
      const { id } = await data(api.POST("/api/v1/erasures", { body }));
      form.reset(values);
      notify(t.begun);
      await invalidate("erasures", "conversations", "calls");
      navigate(`/privacy/${id}`);
    },
  });
  const by = () => form.values.by;
  return (
    <SidePanel title={t.erase} lead={t.form.lead} closeTo="/privacy">
      <FieldsForm needs="createErasure" form={form} verb={t.form.verb} disabled={form.values[by()].trim() === ""}>
        <SelectField label={t.form.by} options={optionsOf(t.subjects)} {...form.field("by")} />
        <Show when={by()} keyed>
          {(name) => <TextField label={t.subjects[name]} hint={t.form.hints[name]} {...form.field(name)} required />}
        </Show>
        <Note tone="warn">{t.form.goes}</Note>
      </FieldsForm>
    </SidePanel>
  );
}

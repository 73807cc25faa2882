import { useNavigate } from "@solidjs/router";
import { api, type Body, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { accounts as t } from "../../texts/index.ts";
import { CheckField, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { SidePanel } from "../../ui/page.tsx";
import { FieldsForm } from "../../ui/panel-form.tsx";
import { PlanField } from "./plan-field.tsx";

type Values = Required<Pick<Body<"CreateAccountRequest">, "name" | "display_name" | "plan" | "listed">>;

const EMPTY: Values = { name: "", display_name: "", plan: "starter", listed: false };

export default function NewAccount() {
  const navigate = useNavigate();
  const form = createForm({
    initial: EMPTY,
    save: async ({ display_name, ...values }) => {
      const body = { ...values, ...(display_name !== "" && { display_name }) };
      const { name } = await data(api.POST("/api/admin/v1/accounts", { body }));
      await invalidate("accounts");
      form.reset();
      navigate(`/accounts/${name}`);
    },
  });
  // The service's message contains a regular expression, which not every user can read.
  const nameError = () => {
    const error = form.error("name");
    return error?.startsWith("must match") ? t.nameRule : error;
  };
  return (
    <SidePanel title={t.add} closeTo="/accounts">
      <FieldsForm needs="createAccount" form={form} verb={t.create}>
        <TextField
          label={t.fields.name}
          hint={t.nameHint}
          code
          autocomplete="off"
          autocapitalize="none"
          spellcheck={false}
          {...form.field("name")}
          error={nameError()}
          required
        />
        <TextField
          label={t.fields.display_name}
          hint={t.displayNameHint}
          autocomplete="off"
          placeholder={form.values.name}
          {...form.field("display_name")}
        />
        <PlanField {...form.field("plan")} />
        <CheckField label={t.listedLabel} hint={t.listedHint} {...form.field("listed")} />
      </FieldsForm>
    </SidePanel>
  );
}

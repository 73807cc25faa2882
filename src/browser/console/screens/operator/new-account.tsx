import { useNavigate } from "@solidjs/router";
import { Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { accounts as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/feedback.tsx";
import { CheckField, Fields, TextField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { SidePanel } from "../../ui/page.tsx";
import { PlanField } from "./plan-field.tsx";
import { accountsChanged } from "./queries.ts";

type Values = Required<Pick<Body<"CreateAccountRequest">, "name" | "display_name" | "plan" | "listed">>;

const EMPTY: Values = { name: "", display_name: "", plan: "starter", listed: false };

/** Makes an account, and goes on to it. */
export default function NewAccount() {
  const navigate = useNavigate();
  const form = createForm({
    initial: EMPTY,
    save: async ({ display_name, ...values }) => {
      const body = { ...values, ...(display_name !== "" && { display_name }) };
      const { name } = await data(api.POST("/api/admin/v1/accounts", { body }));
      await accountsChanged();
      form.reset();
      navigate(`/accounts/${name}`);
    },
  });
  // The service says which pattern a name must match, in signs that not everybody reads.
  const nameError = () => {
    const error = form.error("name");
    return error?.startsWith("must match") ? t.nameRule : error;
  };
  return (
    <SidePanel title={t.add} closeTo="/accounts">
      <form onSubmit={(event) => void form.submit(event)}>
        <Fields>
          <Show when={form.failure()}>{(failure) => <Failure error={failure()} />}</Show>
          <TextField
            label={t.fields.name}
            hint={t.nameHint}
            code
            autocomplete="off"
            autocapitalize="none"
            spellcheck={false}
            value={form.values.name}
            onInput={(value) => form.set("name", value)}
            error={nameError()}
            required
          />
          <TextField
            label={t.fields.display_name}
            hint={t.displayNameHint}
            autocomplete="off"
            placeholder={form.values.name}
            value={form.values.display_name}
            onInput={(value) => form.set("display_name", value)}
            error={form.error("display_name")}
          />
          <PlanField value={form.values.plan} onChange={(plan) => form.set("plan", plan)} error={form.error("plan")} />
          <CheckField
            label={t.listedLabel}
            hint={t.listedHint}
            value={form.values.listed}
            onChange={(listed) => form.set("listed", listed)}
          />
          <div>
            <Button kind="primary" type="submit" busy={form.busy()}>
              {t.create}
            </Button>
          </div>
        </Fields>
      </form>
    </SidePanel>
  );
}

import { type RouteSectionProps, useLocation, useParams } from "@solidjs/router";
import { For } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { query, showAnswer } from "../../api/queries.ts";
import { storedBy, useQuery } from "../../api/use-query.ts";
import { privacy as t } from "../../texts/index.ts";
import { changesOf } from "../../ui/changes.ts";
import { confirm } from "../../ui/confirm.tsx";
import { Loaded } from "../../ui/feedback.tsx";
import { Fields, NumberField } from "../../ui/fields.tsx";
import { createForm } from "../../ui/form.ts";
import { FormProblem } from "../../ui/form-problem.tsx";
import { Stack } from "../../ui/layout.tsx";
import { Card, ListAndPanel, Page } from "../../ui/page.tsx";
import { SaveBar } from "../../ui/save-bar.tsx";
import { ScopedForm } from "../../ui/scoped-form.tsx";
import { notify } from "../../ui/toast.tsx";
import { Erasures } from "./erasures.tsx";

type Privacy = Body<"Privacy">;
type Name = keyof Privacy;
const NAMES = Object.keys(t.fields) as Name[];
const KEY = ["privacy"];
/** Events are never kept longer. */
const MAX_EVENTS_DAYS = 30;

const stored = () => query(KEY, (signal) => data(api.GET("/api/v1/privacy", { signal })));

export default function PrivacyPage(props: RouteSectionProps) {
  const found = useQuery(stored);
  const params = useParams<{ id?: string }>();
  const location = useLocation();
  const isOpen = () => params.id !== undefined || location.pathname.endsWith("/forget");
  const page = () => (
    <Page title={t.title} lead={t.lead}>
      <Stack>
        <Loaded query={found}>{(privacy) => <PrivacyForm privacy={privacy()} />}</Loaded>
        <Erasures openId={params.id} />
      </Stack>
    </Page>
  );
  return <ListAndPanel isOpen={isOpen()} panel={props.children} list={page()} />;
}

function PrivacyForm(props: { privacy: Privacy }) {
  const form = createForm<Privacy>({
    initial: props.privacy,
    stored: storedBy(props.privacy, stored(), (privacy) => privacy),
    save: async (values, before) => {
      const body = changesOf(before, values);
      const saved = await data(api.PATCH("/api/v1/privacy", { body }));
      showAnswer(KEY, saved);
      notify(t.saved);
      return saved;
    },
  });
  const submit = async (event: SubmitEvent) => {
    event.preventDefault();
    const shown = event.currentTarget;
    const shorter = NAMES.filter((name) => isShorter(name, props.privacy[name], form.values[name]));
    if (shorter.length > 0) {
      const body = t.shorterBody(shorter.map((name) => t.fields[name]).join(", "));
      if (!(await confirm({ title: t.shorterTitle, body, verb: t.shorterVerb, danger: true }))) return;
    }
    await form.submit(event, shown);
  };
  return (
    <ScopedForm needs="updatePrivacy" class="stack" onSubmit={(event) => void submit(event)}>
      <FormProblem form={form} />
      <Card>
        <Fields legend={t.keeping}>
          <For each={NAMES}>
            {(name) => (
              <NumberField
                label={t.fields[name]}
                hint={name === "events_days" ? t.hints[name] : `${t.hints[name]} ${t.forever}`}
                placeholder={t.empty[name]}
                value={form.values[name] ?? undefined}
                onInput={(value) => form.set(name, value ?? null)}
                error={form.error(name)}
              />
            )}
          </For>
        </Fields>
      </Card>
      <SaveBar form={form} />
    </ScopedForm>
  );
}

/** Checks whether records would be deleted that are kept now. */
function isShorter(name: Name, before: number | null, after: number | null): boolean {
  return keptFor(name, after) < keptFor(name, before);
}

/** Returns how many days records are kept, also if no number is entered. */
function keptFor(name: Name, days: number | null): number {
  return days ?? (name === "events_days" ? MAX_EVENTS_DAYS : Number.POSITIVE_INFINITY);
}

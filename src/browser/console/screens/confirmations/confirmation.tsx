import { createSignal, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { holds } from "../../api/may.ts";
import { queries, query, showAnswer } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { confirmations as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Loaded, Note } from "../../ui/feedback.tsx";
import { Stack } from "../../ui/layout.tsx";
import { ById, Card, FormFooter, Page } from "../../ui/page.tsx";
import { notifyFailure } from "../../ui/toast.tsx";
import type { Tone } from "../../ui/tone.ts";
import { Badge, type Fact, Facts, PhoneNumber, Time } from "../../ui/values.tsx";

type Confirmation = Body<"Confirmation">;

const TONES: Record<Confirmation["status"], Tone> = {
  pending: "info",
  approved: "ok",
  declined: "bad",
  taken: "ok",
  expired: "idle",
};
/** The confirmation may be decided elsewhere, and it expires. */
const LOOK_AGAIN_MS = 5_000;

const keyOf = (id: string) => ["confirmations", id];

export default function ConfirmationPage() {
  return (
    <Page title={t.title} lead={t.lead}>
      <ById>{(id) => <One id={id} />}</ById>
    </Page>
  );
}

function One(props: { id: string }) {
  const confirmation = useQuery(() =>
    Object.assign(
      query(keyOf(props.id), (signal) =>
        data(api.GET("/api/v1/confirmations/{id}", { params: { path: { id: props.id } }, signal })),
      ),
      { refetchInterval: LOOK_AGAIN_MS },
    ),
  );
  return (
    <Loaded query={confirmation} missing={t.notFound}>
      {(found) => <Details of={found()} />}
    </Loaded>
  );
}

function Details(props: { of: Confirmation }) {
  const [isBusy, setBusy] = createSignal(false);
  const path = () => ({ params: { path: { id: props.of.id } } });
  const decide = async (send: () => Promise<Confirmation>) => {
    setBusy(true);
    try {
      showAnswer(keyOf(props.of.id), await send());
    } catch (error) {
      notifyFailure(error);
      await queries.invalidateQueries({ queryKey: keyOf(props.of.id) });
    } finally {
      setBusy(false);
    }
  };
  const approve = () => decide(() => data(api.POST("/api/v1/confirmations/{id}/approve", path())));
  const decline = () => decide(() => data(api.POST("/api/v1/confirmations/{id}/decline", path())));
  const isOpen = () => props.of.status === "pending" || props.of.status === "approved";
  return (
    <Card>
      <Stack>
        <h2>{props.of.summary}</h2>
        <Badge tone={TONES[props.of.status]}>{t.statuses[props.of.status]}</Badge>
        <Note tone={props.of.status === "pending" ? "warn" : "info"}>{t.next[props.of.status]}</Note>
        <Facts of={factsOf(props.of)} />
        <Show when={isOpen()}>
          <Show when={holds(props.of.scope)} fallback={<Note>{t.notYours(props.of.scope)}</Note>}>
            <FormFooter>
              <Show when={props.of.status === "pending"}>
                <Button needs="approveConfirmation" kind="primary" busy={isBusy()} onClick={approve}>
                  {t.approve}
                </Button>
              </Show>
              <Button needs="declineConfirmation" busy={isBusy()} onClick={decline}>
                {t.decline}
              </Button>
            </FormFooter>
          </Show>
        </Show>
      </Stack>
    </Card>
  );
}

/** Returns the numbers that the action reaches, how many, and other details. */
function factsOf({ effect, key, expires_at }: Confirmation): Fact[] {
  const { to_numbers, count, details } = effect;
  const others = Object.entries(details).map(([name, value]): Fact => [t.detail(name), () => wordOf(value)]);
  const numbers: Fact[] =
    to_numbers.length === 0 ? [] : [[t.fields.whom, () => to_numbers.map((e164) => <PhoneNumber e164={e164} />)]];
  return [
    ...numbers,
    [t.fields.count, () => (count === 0 ? t.none : t.count(count))],
    ...others,
    [t.fields.key, () => key.name],
    [t.fields.until, () => <Time at={expires_at} />],
  ];
}

function wordOf(value: string | number | boolean | null): string {
  if (value === null) return "–";
  if (typeof value === "boolean") return value ? t.yes : t.no;
  return String(value);
}

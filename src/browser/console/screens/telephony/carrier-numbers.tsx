import { createSignal, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { invalidate } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { carriers as texts } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Empty, Loaded, Note } from "../../ui/feedback.tsx";
import { Search } from "../../ui/icons.tsx";
import { Section } from "../../ui/page.tsx";
import { groupedNumber } from "../../ui/phone-number.ts";
import { type Column, Table } from "../../ui/table.tsx";
import { notify, notifyFailure } from "../../ui/toast.tsx";
import { Badge, PhoneNumber } from "../../ui/values.tsx";
import { numbersAtCarrier } from "./queries.ts";

const { atCarrier: t } = texts;

/**
 * The numbers of a carrier account, each with a button to register it. They are requested from the carrier only on
 * demand.
 */
export function CarrierNumbers(props: { carrierId: string }) {
  const [isRequested, setRequested] = createSignal(false);
  const [registering, setRegistering] = createSignal<string>();
  const there = useQuery(() => ({
    ...numbersAtCarrier(props.carrierId),
    enabled: isRequested(),
    retry: false,
    refetchOnWindowFocus: false,
  }));
  const register = async (e164: string) => {
    setRegistering(e164);
    try {
      await data(api.POST("/api/v1/telephony/numbers", { body: { e164, credentials_id: props.carrierId } }));
      notify(t.done(groupedNumber(e164)));
      await Promise.all([invalidate("numbers"), there.refetch()]);
    } catch (error) {
      notifyFailure(error);
    } finally {
      setRegistering(undefined);
    }
  };
  const columns: Column<Body<"CarrierNumber">>[] = [
    { header: t.columns.number, cell: ({ e164 }) => <PhoneNumber e164={e164} plain /> },
    {
      header: t.columns.can,
      cell: ({ capabilities }) => capabilities.map((each) => t.can[each]).join(", ") || "–",
      minor: true,
    },
    {
      header: t.columns.action,
      cell: ({ e164, registered }) => (
        <Show when={!registered} fallback={<Badge tone="ok">{t.registered}</Badge>}>
          <Button
            small
            busy={registering() === e164}
            aria-label={t.registerLabel(groupedNumber(e164))}
            onClick={() => void register(e164)}
          >
            {t.register}
          </Button>
        </Show>
      ),
      numbers: true,
    },
  ];
  return (
    <Section
      title={t.title}
      actions={
        <Button
          small
          icon={Search}
          busy={there.isFetching}
          onClick={() => (isRequested() ? void there.refetch() : setRequested(true))}
        >
          {isRequested() ? t.askAgain : t.ask}
        </Button>
      }
    >
      <p class="muted">{t.lead}</p>
      <Show when={isRequested()}>
        <Loaded query={there}>
          {(found) => (
            <>
              <Show when={found().truncated}>
                <Note tone="warn">{t.truncated}</Note>
              </Show>
              <Table
                label={t.label}
                columns={columns}
                rows={found().numbers}
                empty={<Empty title={t.noneTitle}>{t.none}</Empty>}
              />
            </>
          )}
        </Loaded>
      </Show>
    </Section>
  );
}

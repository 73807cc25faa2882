import { A } from "@solidjs/router";
import { createSignal, For, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { numberList } from "../../api/lists.ts";
import { may } from "../../api/may.ts";
import { useQuery } from "../../api/use-query.ts";
import { counted } from "../../texts/format.ts";
import { common, carriers as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Failure } from "../../ui/feedback.tsx";
import { ShieldCheck, Trash } from "../../ui/icons.tsx";
import { groupedNumber } from "../../ui/phone-number.ts";
import { fromList, ResourcePanel, useDelete } from "../../ui/resource-panel.tsx";
import { notify } from "../../ui/toast.tsx";
import { Badge, CopiedCode, Facts, Time } from "../../ui/values.tsx";
import { CarrierNumbers } from "./carrier-numbers.tsx";
import { carrierList } from "./queries.ts";
import styles from "./telephony.module.css";

type Carrier = Body<"TelephonyProvider">;

const carrierById = fromList(carrierList, ({ providers }, id) => providers.find((carrier) => carrier.id === id));

export default function CarrierPanel() {
  return (
    <ResourcePanel
      query={carrierById}
      one={t.title}
      title={({ label }) => label}
      lead={(carrier) => t.names[carrier().provider]}
      closeTo="/carriers"
      actions={(carrier) => <Delete carrier={carrier()} />}
    >
      {(carrier) => <Details carrier={carrier()} />}
    </ResourcePanel>
  );
}

function Details(props: { carrier: Carrier }) {
  const used = useNumbersOf(() => props.carrier.id);
  return (
    <>
      <Verify carrier={props.carrier} />
      <Facts
        of={[
          [t.facts.provider, () => t.names[props.carrier.provider]],
          [
            t.facts.stored,
            () => (
              <Show when={props.carrier.credential_keys.length > 0} fallback={t.facts.nothing}>
                <code>{props.carrier.credential_keys.join(", ")}</code>
              </Show>
            ),
          ],
          [t.facts.added, () => <Time at={props.carrier.created_at} />],
          [
            t.facts.numbers,
            () => (
              <For each={used()} fallback={<span class="muted">{t.facts.none}</span>}>
                {({ id, e164 }) => (
                  <div>
                    <A href={`/numbers/${id}`}>{groupedNumber(e164)}</A>
                  </div>
                )}
              </For>
            ),
          ],
          [t.facts.id, () => <CopiedCode text={props.carrier.id} />],
        ]}
      />
      <Show when={may("listCarrierNumbers")}>
        <CarrierNumbers carrierId={props.carrier.id} />
      </Show>
    </>
  );
}

const TONES = { accepted: "ok", refused: "bad", unanswered: "warn" } as const;

interface Verdict {
  ok: boolean;
  answered: boolean;
  detail: string;
}

const resultOf = ({ ok, answered }: Verdict): keyof typeof TONES =>
  ok ? "accepted" : answered ? "refused" : "unanswered";

/** Checks the credentials with the carrier and shows the result. */
function Verify(props: { carrier: Carrier }) {
  const [found, setFound] = createSignal<Verdict>();
  const [failure, setFailure] = createSignal<unknown>();
  const [busy, setBusy] = createSignal(false);
  const verify = async () => {
    setBusy(true);
    setFailure(undefined);
    try {
      const params = { path: { id: props.carrier.id } };
      setFound(await data(api.POST("/api/v1/telephony/providers/{id}/verify", { params })));
    } catch (error) {
      setFound(undefined);
      setFailure(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <div class="stack-12">
      <div>
        <Button needs="verifyTelephonyProvider" icon={ShieldCheck} busy={busy()} onClick={() => void verify()}>
          {t.verify}
        </Button>
      </div>
      <div role="status" class={styles.found}>
        <Show when={found()}>
          {(verdict) => (
            <>
              <Badge tone={TONES[resultOf(verdict())]}>{t.verified[resultOf(verdict())]}</Badge>
              <p class={`muted ${styles.sentence}`}>{verdict().detail}</p>
            </>
          )}
        </Show>
      </div>
      <Show when={failure()}>{(error) => <Failure error={error()} />}</Show>
    </div>
  );
}

function Delete(props: { carrier: Carrier }) {
  const confirmDelete = useDelete("/carriers", "carriers");
  const used = useNumbersOf(() => props.carrier.id);
  const remove = () => {
    const { id, label } = props.carrier;
    const inUse = used().length;
    if (inUse > 0) {
      notify(t.inUse(counted(inUse, t.number, t.numbers)), "bad");
      return;
    }
    void confirmDelete(
      { title: t.deleteTitle(label), body: t.deleteBody },
      () => api.DELETE("/api/v1/telephony/providers/{id}", { params: { path: { id } } }),
      t.deleted,
    );
  };
  return (
    <Button needs="deleteTelephonyProvider" small kind="danger" icon={Trash} onClick={remove}>
      {common.delete}
    </Button>
  );
}

function useNumbersOf(id: () => string): () => Body<"PhoneNumber">[] {
  const numbers = useQuery(numberList);
  return () => (numbers.data?.numbers ?? []).filter((each) => each.credentials_id === id());
}

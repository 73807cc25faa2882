import { A, useNavigate } from "@solidjs/router";
import ShieldCheck from "lucide-solid/icons/shield-check";
import Trash from "lucide-solid/icons/trash";
import { createSignal, For, Show } from "solid-js";
import { api, type Body, data } from "../../api/client.ts";
import { numberList } from "../../api/lists.ts";
import { useQuery } from "../../api/use-query.ts";
import { counted } from "../../texts/format.ts";
import { carriers as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { confirmed } from "../../ui/confirm.tsx";
import { Failure, Loaded, NotFound } from "../../ui/feedback.tsx";
import { ById, SidePanel } from "../../ui/page.tsx";
import { groupedNumber } from "../../ui/phone-number.ts";
import { tell } from "../../ui/toast.tsx";
import { Badge, Copy, Fact, Facts, Time } from "../../ui/values.tsx";
import { CarrierNumbers } from "./carrier-numbers.tsx";
import { carrierList, carriersChanged } from "./queries.ts";
import styles from "./telephony.module.css";

type Carrier = Body<"TelephonyProvider">;

/** One carrier account: whether its credentials work, and the numbers that lie there. */
export default function CarrierPanel() {
  return <ById>{(id) => <OneCarrier id={id} />}</ById>;
}

function OneCarrier(props: { id: string }) {
  const list = useQuery(carrierList);
  const carrier = () => list.data?.providers.find(({ id }) => id === props.id);
  return (
    <SidePanel
      title={carrier()?.label ?? t.title}
      lead={<Show when={carrier()}>{(found) => t.names[found().provider]}</Show>}
      closeTo="/carriers"
      actions={<Show when={carrier()}>{(found) => <Delete carrier={found()} />}</Show>}
    >
      <Loaded query={list}>
        {() => (
          <Show when={carrier()} fallback={<NotFound />}>
            {(found) => <Details carrier={found()} />}
          </Show>
        )}
      </Loaded>
    </SidePanel>
  );
}

function Details(props: { carrier: Carrier }) {
  const used = useNumbersOf(() => props.carrier.id);
  return (
    <>
      <Verify carrier={props.carrier} />
      <Facts>
        <Fact name={t.facts.provider}>{t.names[props.carrier.provider]}</Fact>
        <Fact name={t.facts.stored}>
          <Show when={props.carrier.credential_keys.length > 0} fallback={t.facts.nothing}>
            <code>{props.carrier.credential_keys.join(", ")}</code>
          </Show>
        </Fact>
        <Fact name={t.facts.added}>
          <Time at={props.carrier.created_at} />
        </Fact>
        <Fact name={t.facts.numbers}>
          <For each={used()} fallback={<span class="muted">{t.facts.none}</span>}>
            {({ id, e164 }) => (
              <div>
                <A href={`/numbers/${id}`}>{groupedNumber(e164)}</A>
              </div>
            )}
          </For>
        </Fact>
        <Fact name={t.facts.id}>
          <code>{props.carrier.id}</code> <Copy text={props.carrier.id} />
        </Fact>
      </Facts>
      <CarrierNumbers carrierId={props.carrier.id} />
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

/** Tries the credentials at the carrier, and says in words what came of it. */
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
    <div class={styles.stack}>
      <div>
        <Button icon={ShieldCheck} busy={busy()} onClick={() => void verify()}>
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
  const navigate = useNavigate();
  const used = useNumbersOf(() => props.carrier.id);
  const remove = async () => {
    const { id, label } = props.carrier;
    const inUse = used().length;
    if (inUse > 0) {
      tell(t.inUse(counted(inUse, t.number, t.numbers)), "bad");
      return;
    }
    const question = { title: t.deleteTitle(label), body: t.deleteBody, verb: t.delete, danger: true };
    await confirmed(question, async () => {
      try {
        await data(api.DELETE("/api/v1/telephony/providers/{id}", { params: { path: { id } } }));
        navigate("/carriers");
        tell(t.deleted);
      } finally {
        await carriersChanged();
      }
    });
  };
  return (
    <Button small kind="danger" icon={Trash} onClick={() => void remove()}>
      {t.delete}
    </Button>
  );
}

/** The registered numbers that go by these credentials. */
function useNumbersOf(id: () => string): () => Body<"PhoneNumber">[] {
  const numbers = useQuery(numberList);
  return () => (numbers.data?.numbers ?? []).filter((each) => each.credentials_id === id());
}

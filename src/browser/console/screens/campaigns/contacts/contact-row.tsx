import { createMemo, Match, Show, Switch } from "solid-js";
import { access, codeInWords, board as t } from "../../../texts/index.ts";
import { inLine } from "../../../ui/in-line.ts";
import { Badge, PhoneNumber, Time } from "../../../ui/values.tsx";
import { VerdictBadge } from "../../../ui/verdict.tsx";
import { useLiveCampaign } from "../live/live-campaign.ts";
import styles from "./contacts.module.css";
import { type ShownContact, stateOf, TONES } from "./shown-contact.ts";

/** Variables that fit into a row. */
const MAX_VARIABLES = 3;

interface Props {
  index: number;
  /** Where it is drawn, px. */
  top: number;
  contact: () => ShownContact | undefined;
  /** The whole address of its panel: a plain link, as the router's own costs a row more than all the rest. */
  href: (id: string) => string;
  isOpen: boolean;
}

/** One contact of the list, as it is now. */
export function ContactRow(props: Props) {
  let link: HTMLAnchorElement | undefined;
  const keep = (element: HTMLAnchorElement) => {
    link = element;
    // The router would go to the top of the page.
    element.setAttribute("noscroll", "");
  };
  const loaded = createMemo(() => props.contact(), undefined, { equals: isSame });
  // Until the contact has loaded, the previous one stays, hidden: rebuilding the row takes longer than loading it.
  const contact = createMemo<ShownContact | undefined>((before) => loaded() ?? before);
  const open = (event: MouseEvent) => {
    const isLink = event.target instanceof Element && event.target.closest("a, button");
    if (loaded() && !isLink && getSelection()?.isCollapsed !== false) link?.click();
  };
  return (
    <tr
      aria-rowindex={props.index + 2}
      data-index={props.index}
      aria-current={props.isOpen ? "true" : undefined}
      data-loading={loaded() ? undefined : ""}
      class={styles.row}
      style={{ transform: `translateY(${props.top}px)` }}
      onClick={open}
    >
      <Show when={contact()}>
        {(found) => (
          <>
            <td class={styles.number}>
              <a ref={keep} href={props.href(found().id)} class={styles.link}>
                <PhoneNumber e164={found().phone_number} plain />
              </a>
            </td>
            <td class={styles.state}>
              <Badge tone={TONES[found().status]}>{stateOf(found())}</Badge>
            </td>
            <td class={styles.why}>
              <Why contact={found()} />
            </td>
            <td class={styles.about}>{about(found())}</td>
            <td class={styles.tries}>{found().tries}</td>
            <td class={styles.changed}>
              <Show when={found().tries > 0 || found().status !== "pending"}>
                <Time at={found().at} />
              </Show>
            </td>
          </>
        )}
      </Show>
    </tr>
  );
}

/** Why it waits, or how it ended where the state does not say all. */
function Why(props: { contact: ShownContact }) {
  const { campaign } = useLiveCampaign();
  return (
    <Switch fallback={whyOf(props.contact, campaign()?.status)}>
      <Match when={props.contact.again}>
        {(at) => (
          <>
            {t.contacts.why.again} <Time at={at()} />
          </>
        )}
      </Match>
      <Match when={props.contact.status === "completed" && props.contact.successful}>
        {(verdict) => <VerdictBadge of={verdict()} />}
      </Match>
    </Switch>
  );
}

function whyOf({ status, outcome, reason, tries }: ShownContact, campaign: string | undefined): string {
  if (status === "pending") {
    if (campaign === "paused" || campaign === "draft") return t.contacts.why[campaign];
    return tries > 0 ? t.contacts.why.retry(outcome) : t.contacts.why.turn;
  }
  if (status === "completed" || reason === null || reason === outcome) return "";
  return codeInWords(reason);
}

function about({ variables }: ShownContact): string {
  if (variables === null) return access.hiddenShort;
  if (!variables) return "";
  const values = Object.values(variables).filter((value) => value !== "");
  return inLine(values.slice(0, MAX_VARIABLES));
}

/** Whether a row would show the same. */
function isSame(a: ShownContact | undefined, b: ShownContact | undefined): boolean {
  if (!a || !b) return a === b;
  const { id, at, status, tries, again, outcome, reason, phone_number, successful, variables } = a;
  return (
    b.id === id &&
    b.at === at &&
    b.status === status &&
    b.tries === tries &&
    b.again === again &&
    b.outcome === outcome &&
    b.reason === reason &&
    b.phone_number === phone_number &&
    b.successful === successful &&
    b.variables === variables
  );
}

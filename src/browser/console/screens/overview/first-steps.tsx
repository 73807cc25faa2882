import { createSignal, For, Show } from "solid-js";
import type { Body } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import type { Answer } from "../../api/queries.ts";
import { session } from "../../session/session.ts";
import { overview as t } from "../../texts/index.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { Check } from "../../ui/icons.tsx";
import { Card, Section } from "../../ui/page.tsx";
import styles from "./overview.module.css";

const HIDDEN = "switchboard-first-steps-hidden";

/** The steps from a new account to its first campaign, and which are done. */
export function FirstSteps(props: {
  agents: Answer<Body<"Agent">[]>;
  numbers: Answer<{ numbers: Body<"PhoneNumber">[] }>;
  campaigns: Answer<{ campaigns: Body<"Campaign">[] }>;
  conversations: Answer<{ conversations: Body<"Conversation">[] }>;
}) {
  const key = `${HIDDEN}-${session()?.account}`;
  const [isHidden, setHidden] = createSignal(localStorage.getItem(key) !== null);
  const isLoaded = () =>
    [props.agents, props.numbers, props.campaigns, props.conversations].every((query) => query.data);
  const agent = () => props.agents.data?.find(({ status }) => status !== "archived");
  const all = () => [
    { name: "agent" as const, needs: "installTemplate" as const, isDone: agent() !== undefined, href: "/marketplace" },
    {
      name: "talk" as const,
      needs: "createAgentSession" as const,
      isDone: (props.conversations.data?.conversations.length ?? 0) > 0,
      href: agent() ? `/agents/${agent()?.id}/talk` : "/agents",
    },
    {
      name: "number" as const,
      needs: "createPhoneNumber" as const,
      isDone: (props.numbers.data?.numbers.length ?? 0) > 0,
      href: "/numbers/new",
    },
    {
      name: "campaign" as const,
      needs: "createCampaign" as const,
      isDone: (props.campaigns.data?.campaigns.length ?? 0) > 0,
      href: "/campaigns/new",
    },
  ];
  const steps = () => all().filter(({ needs }) => may(needs));
  const next = () => steps().find(({ isDone }) => !isDone)?.name;
  const hide = () => {
    localStorage.setItem(key, "hidden");
    setHidden(true);
  };
  return (
    <Show when={isLoaded() && next() !== undefined && !isHidden()}>
      <Section
        title={t.steps}
        actions={
          <Button small kind="quiet" onClick={hide}>
            {t.hideSteps}
          </Button>
        }
      >
        <p class="muted">{t.stepsLead}</p>
        <Card>
          <ol class={styles.steps}>
            <For each={steps()}>
              {(step, nth) => (
                <li class={styles.step} data-done={step.isDone ? "true" : undefined}>
                  <span class={styles.stepMark}>
                    <Show when={step.isDone} fallback={nth() + 1}>
                      <Check size={16} aria-label={t.done} />
                    </Show>
                  </span>
                  <div>
                    <h3>{t.step[step.name].title}</h3>
                    <p class="muted">{t.step[step.name].lead}</p>
                  </div>
                  <Show when={!step.isDone}>
                    <LinkButton href={step.href} kind={step.name === next() ? "primary" : "plain"}>
                      {t.step[step.name].verb}
                    </LinkButton>
                  </Show>
                </li>
              )}
            </For>
          </ol>
        </Card>
      </Section>
    </Show>
  );
}

import { createSignal, Match, Show, Switch } from "solid-js";
import { invalidate } from "../../api/queries.ts";
import { useQuery } from "../../api/use-query.ts";
import { ownFactor } from "../../session/own-factor.ts";
import { secondFactor as t } from "../../texts/index.ts";
import { Button } from "../../ui/button.tsx";
import { Loaded, Note } from "../../ui/feedback.tsx";
import { Stack } from "../../ui/layout.tsx";
import { Card, Section } from "../../ui/page.tsx";
import { notify } from "../../ui/toast.tsx";
import { Badge, Facts } from "../../ui/values.tsx";
import { NewRecoveryCodes, SetUp, TurnOff } from "./change-factor.tsx";

/** Number of remaining recovery codes at which a warning is shown. */
const FEW_CODES = 2;

type Change = "set up" | "replace" | "new codes" | "turn off";

export function SecondFactor() {
  const factor = useQuery(ownFactor);
  const [change, setChange] = createSignal<Change>();
  const close = () => {
    setChange(undefined);
    void invalidate("second-factor");
  };
  const done = (words: string) => () => {
    close();
    notify(words);
  };
  return (
    <Section title={t.title}>
      <Loaded query={factor}>
        {(found) => (
          <Show
            when={found().enabled}
            fallback={
              <Card>
                <Stack>
                  <p>{t.lead}</p>
                  <div>
                    <Button kind="primary" onClick={() => setChange("set up")}>
                      {t.setUp}
                    </Button>
                  </div>
                </Stack>
              </Card>
            }
          >
            <Card>
              <Stack>
                <Facts
                  of={[
                    [t.state, () => <Badge tone="ok">{t.on}</Badge>],
                    [t.codesLeft, () => String(found().recovery_codes_left)],
                  ]}
                />
                <Show when={found().recovery_codes_left <= FEW_CODES}>
                  <Note tone="warn">{t.fewLeft(found().recovery_codes_left)}</Note>
                </Show>
                <div class="row">
                  <Button onClick={() => setChange("new codes")}>{t.newCodes}</Button>
                  <Button onClick={() => setChange("replace")}>{t.replace}</Button>
                  <Button kind="danger" onClick={() => setChange("turn off")}>
                    {t.turnOff}
                  </Button>
                </div>
              </Stack>
            </Card>
          </Show>
        )}
      </Loaded>
      <Switch>
        <Match when={change() === "set up" || change() === "replace"}>
          <SetUp isReplacing={change() === "replace"} onClose={close} onDone={done(t.turnedOn)} />
        </Match>
        <Match when={change() === "new codes"}>
          <NewRecoveryCodes onClose={close} />
        </Match>
        <Match when={change() === "turn off"}>
          <TurnOff onClose={close} onDone={done(t.turnedOff)} />
        </Match>
      </Switch>
    </Section>
  );
}

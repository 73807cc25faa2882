import { Show } from "solid-js";
import { MOST_EXAMPLES } from "../../../../../lists/rows.ts";
import { newCampaign } from "../../../texts/index.ts";
import { Button } from "../../../ui/button.tsx";
import { Note } from "../../../ui/feedback.tsx";
import { groupedNumber } from "../../../ui/phone-number.ts";
import { assumedInWords, countryName } from "./assumed.ts";
import type { ContactList, Question } from "./contact-list.ts";
import styles from "./file.module.css";
import type { TwoReadings } from "./judge.ts";
import type { Check } from "./scan.ts";

const t = newCampaign.rows;

/** What was assumed about numbers without a country code, and the questions to answer before the upload. */
export function Questions(props: { list: ContactList; check: Check }) {
  return (
    <>
      <Show when={props.check.assumed}>{(assumed) => <p>{assumedInWords(assumed())}</p>}</Show>
      <OpenQuestion list={props.list} question="alsoValid" of={props.check.alsoValid} />
      <OpenQuestion list={props.list} question="either" of={props.check.either} />
    </>
  );
}

function OpenQuestion(props: { list: ContactList; question: Question; of: TwoReadings[] }) {
  const words = () => t.questions[props.question];
  const country = () => countryName(props.list.country());
  const examples = () => props.of.slice(0, MOST_EXAMPLES).map(readingsInWords).join(", ");
  const hasNational = () => props.of.some(({ national }) => national !== null);
  return (
    <Show when={props.of.length > 0}>
      <Show
        when={props.list.isOpen(props.question)}
        fallback={
          <p>
            {words().left(props.of.length, country())}{" "}
            <Button small onClick={() => props.list.askAgain(props.question)}>
              {t.questions.again}
            </Button>
          </p>
        }
      >
        <Note tone="warn">
          <p>{words().ask(props.of.length, country(), examples())}</p>
          <div class={`${styles.buttonRow} ${styles.answers}`}>
            <Button small onClick={() => props.list.readAs(props.question, "withPlus")}>
              {t.questions.withPlus}
            </Button>
            <Show when={props.question === "either" && hasNational()}>
              <Button small onClick={() => props.list.readAs("either", "national")}>
                {t.questions.national(country())}
              </Button>
            </Show>
            <Button small onClick={() => props.list.leave(props.question)}>
              {words().leave(country())}
            </Button>
          </div>
        </Note>
      </Show>
    </Show>
  );
}

function readingsInWords({ written, withPlus, national }: TwoReadings): string {
  return t.example(written, groupedNumber(withPlus), national === null ? undefined : groupedNumber(national));
}

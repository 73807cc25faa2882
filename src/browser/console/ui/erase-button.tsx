import { useNavigate } from "@solidjs/router";
import { erasures as t } from "../texts/index.ts";
import { Button } from "./button.tsx";
import { UserX } from "./icons.tsx";

export type Subject = keyof typeof t.subjects;
interface Person {
  by: Subject;
  value: string;
}

/**
 * Button that opens the form to erase a person. It passes the person in the history state, because browsers keep
 * addresses.
 */
export function EraseButton(props: Person) {
  const navigate = useNavigate();
  const go = () => navigate("/privacy/forget", { state: { by: props.by, value: props.value } });
  return (
    <Button needs="createErasure" small kind="danger" icon={UserX} onClick={go}>
      {t.erase}
    </Button>
  );
}

export function namedPerson(state: unknown): Person | undefined {
  if (typeof state !== "object" || state === null || !("by" in state) || !("value" in state)) return undefined;
  const by = (Object.keys(t.subjects) as Subject[]).find((subject) => subject === state.by);
  return by && typeof state.value === "string" ? { by, value: state.value } : undefined;
}

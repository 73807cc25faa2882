import { createContext, type JSX, useContext } from "solid-js";
import styles from "./read-only.module.css";

const ReadOnly = createContext<() => boolean>(() => false);

/** Returns whether the component is among fields that the user may read but not change. */
export const useReadOnly = (): (() => boolean) => useContext(ReadOnly);

/** Fields that only some users may change. For others they are disabled, and the buttons between them are hidden. */
export function ReadOnlyUnless(props: { may: boolean; children: JSX.Element }) {
  const around = useReadOnly();
  return (
    <ReadOnly.Provider value={() => around() || !props.may}>
      <fieldset disabled={!props.may} class={styles.fields}>
        {props.children}
      </fieldset>
    </ReadOnly.Provider>
  );
}

import { createSignal } from "solid-js";
import { isOperator, session } from "../session/session.ts";

/** Whether the dialog is open that joins another account to the session. */
const [isJoining, setJoining] = createSignal(false);

export { isJoining, setJoining };

/** Whether other accounts can be joined: an identity provider says itself which ones it opens. */
export const mayJoin = (): boolean => session()?.way === "password" && !isOperator();

import { createSignal } from "solid-js";
import { isOperator, session } from "../session/session.ts";

const [isJoining, setJoining] = createSignal(false);

export { isJoining, setJoining };

/** Checks whether other accounts can be joined. An identity provider itself decides which accounts it opens. */
export const mayJoin = (): boolean => session()?.way === "password" && !isOperator();

import { createContext, useContext } from "solid-js";
import type { Body } from "../../api/client.ts";

export const AgentContext = createContext<() => Body<"Agent">>();

/** Returns the current state of the agent whose page is open. Call it only on that page. */
export function useAgent(): () => Body<"Agent"> {
  const agent = useContext(AgentContext);
  if (!agent) throw new Error("there is no agent here");
  return agent;
}

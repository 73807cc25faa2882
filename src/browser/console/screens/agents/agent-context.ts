import { createContext, useContext } from "solid-js";
import type { Body } from "../../api/client.ts";

/** The agent whose page is open. */
export const AgentContext = createContext<() => Body<"Agent">>();

/** The agent whose page is open, as it is now. For what stands on that page. */
export function useAgent(): () => Body<"Agent"> {
  const agent = useContext(AgentContext);
  if (!agent) throw new Error("there is no agent here");
  return agent;
}

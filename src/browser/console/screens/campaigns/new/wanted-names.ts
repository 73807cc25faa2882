import { createSignal } from "solid-js";
import { namesWithoutDefault } from "../../../../../kernel/rendering/placeholders.ts";
import type { Body } from "../../../api/client.ts";

const [module, setModule] = createSignal<typeof import("../../../../../kernel/rendering/built-in.ts")>();
/** Loaded after the first screen: it contains calendars, which weigh more than the rest of the screen. */
void import("../../../../../kernel/rendering/built-in.ts").then((loaded) => setModule(() => loaded));

/** What an agent's texts name without a default, and no session brings by itself; none until that is known. */
export function wantedNames({ greeting_message, system_prompt }: Body<"Agent">): string[] {
  const library = module();
  if (!library) return [];
  const surroundings = { agent_name: "", account_name: "", call: null, timezone: "UTC", language: "en", now: 0 };
  const builtIn = library.builtIn(surroundings).map(([name]) => name);
  return namesWithoutDefault(`${greeting_message}\n${system_prompt}`).filter((name) => !builtIn.includes(name));
}

import { createSignal } from "solid-js";
import { namesWithoutDefault } from "../../../../../kernel/rendering/placeholders.ts";
import type { Body } from "../../../api/client.ts";

const [module, setModule] = createSignal<typeof import("../../../../../kernel/rendering/built-in.ts")>();
/** Loaded after the first screen, because it contains calendars that are larger than the rest of the screen. */
void import("../../../../../kernel/rendering/built-in.ts").then((loaded) => setModule(() => loaded));

/**
 * Returns the variables that an agent's texts use without a default and that aren't built in; none until the module is
 * loaded.
 */
export function wantedNames({ greeting_message, system_prompt }: Body<"Agent">): string[] {
  const library = module();
  if (!library) return [];
  const surroundings = { agent_name: "", account_name: "", call: null, timezone: "UTC", language: "en", now: 0 };
  const builtIn = library.builtIn(surroundings).map(([name]) => name);
  return namesWithoutDefault(`${greeting_message}\n${system_prompt}`).filter((name) => !builtIn.includes(name));
}

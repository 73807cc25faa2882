import { isObject } from "../../../kernel/objects.ts";

import type { ToolCall } from "./model.ts";

/** A tool's arguments as a model wrote them: none at all are an empty object, what is no object is null. */
export function toolArguments(text: string): ToolCall["arguments"] {
  if (text.trim() === "") return {};
  try {
    const value: unknown = JSON.parse(text);
    return isObject(value) ? value : null;
  } catch {
    return null;
  }
}

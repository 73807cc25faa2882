/*
 * Prints the messages of the errors that a module of the Worker creates while it loads, as JSON. Usage: node
 * errors-at-load.ts <module>
 */
import { pathToFileURL } from "node:url";
import { standInForRuntime } from "../../../src/dev/api-types/document.ts";

const messages: string[] = [];
globalThis.Error = new Proxy(Error, {
  construct(error, [message, ...options], made) {
    messages.push(String(message));
    return Reflect.construct(error, [message, ...options], made) as Error;
  },
});
standInForRuntime();
await import(pathToFileURL(process.argv[2] ?? "").href);
console.log(JSON.stringify(messages));

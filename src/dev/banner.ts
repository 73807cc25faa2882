import { styleText } from "node:util";
import { ACME, ACME_NUMBER, GLOBEX, OPERATOR, PASSWORD } from "./demo-data.ts";

const dim = (text: string) => styleText("dim", text);
const bold = (text: string) => styleText("bold", text);

/** What a newcomer needs next. */
export function banner({ base, key, seconds }: { base: string; key: string; seconds: number }): string {
  const row = (name: string, value: string, note = "") =>
    `  ${dim(name.padEnd(10))}${value}${note && `  ${dim(note)}`}`;
  const login = ({ account, email }: { account: string; email: string }) => `${email.padEnd(30)}${account}`;
  return [
    "",
    `  ${bold("Switchboard")} ${dim(`ready in ${seconds.toFixed(1)} s`)}`,
    "",
    row("API", `${base}/api/v1`),
    row("Reference", `${base}/docs`),
    row("OpenAPI", `${base}/openapi.json`),
    "",
    row("Sign in", login(ACME), `password ${PASSWORD}, for all three`),
    row("", login(GLOBEX)),
    row("", login(OPERATOR)),
    row("Number", ACME_NUMBER, `of ${ACME.account}, on the sandbox carrier`),
    row("API key", key, `of ${ACME.account}`),
    "",
    `  ${dim("Try it:")}`,
    `  curl -H 'Authorization: Bearer ${key}' ${base}/api/v1/agents`,
    "",
    `  ${dim("Next:")} npm run demo ${dim("or")} npm run demo:widget ${dim("in another terminal. Ctrl+C stops.")}`,
    "",
  ].join("\n");
}

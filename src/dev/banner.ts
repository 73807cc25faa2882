import { styleText } from "node:util";
import { ACME, ACME_NUMBER, GLOBEX, OPERATOR, PASSWORD } from "./demo-data.ts";

const dim = (text: string) => styleText("dim", text);
const bold = (text: string) => styleText("bold", text);

/** The addresses and sign-ins to print. */
export interface Served {
  base: string;
  /** The demo account's API key. */
  key: string;
  /** Whether the demo users' passwords work, and the identity provider ("" for none). */
  signIn: { passwords: boolean; issuer: string };
  seconds: number;
}

/** Returns the text that `npm start` prints once the service is ready. */
export function banner({ base, key, signIn, seconds }: Served): string {
  return [
    "",
    `  ${bold("Switchboard")} ${dim(`ready in ${seconds.toFixed(1)} s`)}`,
    "",
    row("Console", `${base}/`),
    row("API", `${base}/api/v1`),
    row("Guides", `${base}/docs/guides`),
    row("Reference", `${base}/docs`),
    row("OpenAPI", `${base}/openapi.json`),
    "",
    ...(signIn.passwords ? passwordRows() : []),
    ...(signIn.issuer ? [row("Sign in", `${base}/api/login?account=${ACME.account}`, `at ${signIn.issuer}`)] : []),
    row("Number", ACME_NUMBER, `of ${ACME.account}, on the sandbox carrier`),
    row("API key", key, `of ${ACME.account}`),
    "",
    `  ${dim("Try it:")}`,
    `  curl -H 'Authorization: Bearer ${key}' ${base}/api/v1/agents`,
    "",
    signIn.passwords
      ? `  ${dim("Next:")} npm run demo ${dim("or")} npm run demo:widget ${dim("in another terminal. Ctrl+C stops.")}`
      : `  ${dim("Ctrl+C stops.")}`,
    "",
  ].join("\n");
}

function row(name: string, value: string, note = ""): string {
  return `  ${dim(name.padEnd(10))}${value}${note && `  ${dim(note)}`}`;
}

function passwordRows(): string[] {
  const login = ({ account, email }: { account: string; email: string }) => `${email.padEnd(30)}${account}`;
  return [
    row("Sign in", login(ACME), `password ${PASSWORD}, for all three`),
    row("", login(GLOBEX)),
    row("", login(OPERATOR)),
  ];
}

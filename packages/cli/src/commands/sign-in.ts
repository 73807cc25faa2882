/** `login`, `logout` and `whoami`. */
import type { Command } from "commander";
import { Client } from "../api/client.ts";
import { type Act, examples } from "../kernel/act.ts";
import type { Session } from "../kernel/context.ts";
import { EXIT, Failure } from "../kernel/failure.ts";
import { textOf } from "../kernel/json.ts";
import { openPage } from "../kernel/pages.ts";
import { readSecret } from "../kernel/questions.ts";
import { accountOf, readSettings, writeSettings } from "../kernel/settings.ts";

export function addSignIn(program: Command, act: Act): void {
  program
    .command("login")
    .description("sign in with an API key and store it for later commands")
    .addHelpText(
      "after",
      examples(
        "switchboard login",
        "switchboard login --url https://switchboard.example.com",
        'echo "$KEY" | switchboard login',
      ),
    )
    .action(act(login));
  program.command("logout").description("delete the stored API key of this service").action(act(logout));
  program.command("whoami").description("show the account that commands use, and check the key").action(act(whoAmI));
}

/** Stores a key once the service has accepted it. */
async function login(session: Session): Promise<void> {
  const { world, terminal, url, settingsFile } = session;
  let apiKey = session.givenKey;
  if (apiKey === null) {
    const page = `${url}/console/api-keys`;
    if (world.stdin.isTTY) {
      terminal.note(`Create an API key in the console, and paste it here: ${page}`);
      await openPage(page, world.platform, world.env);
    }
    apiKey = await readSecret("API key: ", world);
  }
  if (!/^[\x21-\x7e]+$/.test(apiKey)) throw new Failure(EXIT.usage, "no_key", "no API key was given");
  const { plan } = await check(session, apiKey);
  const { keys } = await readSettings(settingsFile);
  keys[url] = apiKey;
  await writeSettings(settingsFile, { url, keys });
  const account = accountOf(apiKey);
  terminal.document({ url, account, plan, kept_in: settingsFile });
  terminal.print(`Signed in to ${account} at ${url}. The key is stored in ${settingsFile}.`);
}

async function check({ world, url }: Session, apiKey: string): Promise<{ plan: string }> {
  const quotas = await new Client({ url, apiKey, fetch: world.fetch, sleep: world.sleep }).get("/api/v1/quotas");
  return { plan: textOf(quotas, "plan") };
}

async function logout({ terminal, url, settingsFile }: Session): Promise<void> {
  const { keys } = await readSettings(settingsFile);
  const there = keys[url] !== undefined;
  delete keys[url];
  if (there) await writeSettings(settingsFile, { url, keys });
  terminal.document({ url, signed_out: there });
  terminal.print(
    there ? `Deleted the stored API key of ${url}. To revoke it, use the console.` : `No key of ${url} was stored.`,
  );
}

async function whoAmI(session: Session): Promise<void> {
  const { terminal, url, apiKey } = session;
  session.client();
  const { plan } = await check(session, apiKey ?? "");
  const account = accountOf(apiKey ?? "");
  terminal.document({ url, account, plan });
  terminal.print(`${account} at ${url}, plan ${plan}`);
}

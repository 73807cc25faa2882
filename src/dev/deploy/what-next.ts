import type { Done } from "./carry-out.ts";
import { flags } from "./plan.ts";
import type { Target } from "./target.ts";

/** Describes the steps after a deployment, with their commands. */
export function whatNext(target: Target, url: string, { invited, beside }: Done, secretsFile: string | null): string {
  const parts: string[] = [];
  if (secretsFile !== null)
    parts.push(`Keep ${secretsFile} where you keep passwords: Cloudflare never shows these secrets again.`);
  if (beside !== null) parts.push(gradually(target, beside));
  if (invited !== null) parts.push(firstSteps(target, url, invited));
  return parts.join("\n\n");
}

function gradually(target: Target, { version, old }: NonNullable<Done["beside"]>): string {
  return `Two releases are live now. Watch the errors of both, then change the share of the new one, or return to the old one:
  npx wrangler versions deploy ${version}@50 ${old}@50 --yes --name ${target.worker}
  npm run deploy${flags(target) && ` -- ${flags(target).trim()}`}
  npx wrangler versions deploy ${old}@100 --yes --name ${target.worker}
Schedules and domains only change with npm run deploy without --gradual.`;
}

function firstSteps(target: Target, url: string, { email, link, expires_at }: NonNullable<Done["invited"]>): string {
  return `What comes next:
1. Open this link and choose the password of ${email}. It works once, until ${expires_at};
   run the same command again to get another one:
   ${link}
2. Sign in at ${url}/console/ to the account service-admin, and set up the second factor that you are asked for.
3. Create the first account and its owner there: ${url}/console/accounts
4. Connect a language model: as the owner, install the integration openai or anthropic with your key, or for all accounts:
   npx wrangler secret put OPENAI_API_KEY --name ${target.worker}
5. Connect a number: ${url}/docs/guides/first-call
6. Back up every account at night: ${url}/docs/backup#every-night`;
}

/** Polls the deployment until it is ready, at most `tries` times; returns the last response. */
export async function ready(
  url: string,
  fetchStatus: (url: string) => Promise<{ status: number; body: string }>,
  { tries, pause }: { tries: number; pause: () => Promise<void> },
): Promise<{ ok: boolean; lastAnswer: string }> {
  let lastAnswer = "";
  for (let nth = 0; nth < tries; nth++) {
    if (nth > 0) await pause();
    const answer = await fetchStatus(`${url}/readyz`).catch((error: unknown) => ({ status: 0, body: String(error) }));
    if (answer.status === 200) return { ok: true, lastAnswer: answer.body };
    lastAnswer = `${answer.status} ${answer.body.slice(0, 300)}`;
  }
  return { ok: false, lastAnswer };
}

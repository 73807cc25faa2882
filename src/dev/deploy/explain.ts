/** Returns what to do about a Cloudflare error; null if its own message is enough. */
export function explain(code: number, accountId: string): string | null {
  const dashboard = `https://dash.cloudflare.com/${accountId}`;
  switch (code) {
    case 100328:
      return `The Cloudflare account is on the Workers Free plan, and Switchboard needs Workers Paid (from $5 a month). Switch at ${dashboard}/workers/plans, then repeat the command: what has been made stays and is used.`;
    case 10042:
    case 10136:
      return `R2 is not switched on in the Cloudflare account. Switch it on at ${dashboard}/r2/overview (it asks for a means of payment; the first 10 GB are free), then repeat the command.`;
    case 10007:
    case 10063:
      return `The Cloudflare account has no name under workers.dev yet. Open ${dashboard}/workers-and-pages once and choose one, then repeat the command.`;
    case 6003:
    case 9106:
    case 9109:
    case 10000:
    case 10001:
      return "Cloudflare does not accept the sign-in. Run npx wrangler login, or give CLOUDFLARE_API_TOKEN a token that may edit Workers Scripts, D1 and Workers R2 Storage and read Account Settings (and Workers Routes for a custom domain), then repeat the command.";
    default:
      return null;
  }
}

/** Returns the first Cloudflare error code in wrangler's output. */
export function codeIn(output: string): number | null {
  const found = /\[code: (\d+)\]/.exec(output);
  return found ? Number(found[1]) : null;
}

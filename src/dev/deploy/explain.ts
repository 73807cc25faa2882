/** Returns what to do about a Cloudflare error; null if its own message is enough. */
export function explain(code: number, accountId: string): string | null {
  const dashboard = `https://dash.cloudflare.com/${accountId}`;
  switch (code) {
    case 100328:
      return `The Cloudflare account is on the Workers Free plan, and Switchboard needs Workers Paid (from $5 a month). Switch at ${dashboard}/workers/plans, then run the command again: it continues with what was already created.`;
    case 10042:
    case 10136:
      return `R2 is not switched on in the Cloudflare account. Switch it on at ${dashboard}/r2/overview (it asks for a payment method; the first 10 GB are free), then run the command again.`;
    case 10007:
    case 10063:
      return `The Cloudflare account has no name under workers.dev yet. Open ${dashboard}/workers-and-pages once and choose one, then run the command again.`;
    case 6003:
    case 9106:
    case 9109:
    case 10000:
    case 10001:
      return "Cloudflare rejects the sign-in. Run npx wrangler login, or set CLOUDFLARE_API_TOKEN to a token that can edit Workers Scripts, D1 and Workers R2 Storage and read Account Settings (and edit Workers Routes for a custom domain), then run the command again.";
    default:
      return null;
  }
}

/** Returns the first Cloudflare error code in wrangler's output. */
export function codeIn(output: string): number | null {
  const found = /\[code: (\d+)\]/.exec(output);
  return found ? Number(found[1]) : null;
}

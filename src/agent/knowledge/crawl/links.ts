import { decodeEntities } from "../readers/entities.ts";

const MAX_ADDRESS_CHARS = 2_000;
/**
 * The number of characters of a page that are searched for links, and the maximum number of links from a page or
 * sitemap.
 */
const SEARCHED_CHARS = 2_000_000;
const MAX_LINKS = 1_000;
const LINK = /<a\s[^<>]{0,500}?href\s*=\s*(?:"([^"<>]{1,2000})"|'([^'<>]{1,2000})'|([^\s"'<>]{1,2000}))/gi;
const LOCATION = /<loc>\s{0,100}(?:<!\[CDATA\[)?([^<>\]]{1,2000})/gi;
/** File types that contain no readable text. */
const NO_PAGE =
  /\.(?:png|jpe?g|gif|webp|avif|svg|ico|css|m?js|json|xml|rss|zip|gz|tar|exe|dmg|mp[34]|mov|webm|wav|woff2?|ttf|ics)$/i;

/** Returns an address without its fragment if it is a page of this origin; null otherwise. */
export function pageAddress(written: string, base: string, origin: string): string | null {
  if (written.length > MAX_ADDRESS_CHARS || !URL.canParse(written, base)) return null;
  const url = new URL(written, base);
  url.hash = "";
  const isPage = url.origin === origin && url.username === "" && url.password === "" && !NO_PAGE.test(url.pathname);
  return isPage && url.href.length <= MAX_ADDRESS_CHARS ? url.href : null;
}

/** Returns the addresses that a page links to, as written. */
export function linksOf(page: string): string[] {
  const found: string[] = [];
  for (const [, double, single, bare] of page.slice(0, SEARCHED_CHARS).matchAll(LINK)) {
    found.push(decodeEntities(double ?? single ?? bare ?? "").trim());
    if (found.length === MAX_LINKS) break;
  }
  return found;
}

/** Returns the addresses that a sitemap lists, and whether they are further sitemaps. */
export function readSitemap(text: string): { isIndex: boolean; addresses: string[] } {
  const addresses: string[] = [];
  for (const [, location = ""] of text.matchAll(LOCATION)) {
    addresses.push(decodeEntities(location).trim());
    if (addresses.length === MAX_LINKS) break;
  }
  return { isIndex: /<sitemapindex[\s>]/i.test(text.slice(0, 10_000)), addresses };
}

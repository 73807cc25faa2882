/** Nothing yet. */
export function MarketplaceRoutes() {
  return <></>;
}

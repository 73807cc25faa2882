/** Nothing yet. */
export function ConversationRoutes() {
  return <></>;
}

/** Nothing yet. */
export default function Nothing() {
  return <></>;
}

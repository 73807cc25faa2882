import { SelectField } from "./fields.tsx";

/** The time zones that the browser supports, by their IANA names. */
const TIME_ZONES = [...new Set(["UTC", ...Intl.supportedValuesOf("timeZone")])];

/** Returns readable options for time zones. They include the current one, which the browser may not support. */
export const zoneOptions = (present: string | null) =>
  [...new Set([...(present === null ? [] : [present]), ...TIME_ZONES])].map((zone) => ({
    value: zone,
    label: zone.replaceAll("_", " "),
  }));

interface Props {
  label: string;
  hint: string;
  /** The label for no time zone. */
  none: string;
  value: string | null;
  onInput: (zone: string | null) => void;
  error: string | undefined;
}

export function TimeZoneField(props: Props) {
  return (
    <SelectField
      label={props.label}
      hint={props.hint}
      value={props.value ?? ""}
      onInput={(zone) => props.onInput(zone === "" ? null : zone)}
      error={props.error}
      options={[{ value: "", label: props.none }, ...zoneOptions(props.value)]}
    />
  );
}

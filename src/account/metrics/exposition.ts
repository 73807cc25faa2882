import type { Metrics } from "../../kernel/db/look-ups.ts";

type Gauges = Metrics["objects"][number];

/** The media type of the text format (https://prometheus.io/docs/instrumenting/exposition_formats/). */
export const EXPOSITION = "text/plain; version=0.0.4; charset=utf-8";

/** The gauges of each kind of object, by metric name. */
const OF_OBJECTS: [name: string, help: string, value: (gauges: Gauges) => number][] = [
  ["objects", "Objects that have reported their state.", ({ objects }) => objects],
  ["storage_bytes", "Bytes stored in all objects of the kind.", ({ storage_bytes }) => storage_bytes],
  ["storage_largest_bytes", "Bytes stored in the largest object of the kind.", ({ largest_bytes }) => largest_bytes],
  ["outbox_rows", "Rows that wait for delivery.", ({ outbox_rows }) => outbox_rows],
  ["outbox_parked_rows", "Rows that their destination has refused for a day.", ({ outbox_parked }) => outbox_parked],
  [
    "outbox_age_seconds",
    "The longest time for which a destination has accepted no message.",
    (of) => of.outbox_age_ms / 1000,
  ],
  [
    "retention_age_seconds",
    "The longest time for which records past their retention have waited to be deleted.",
    (of) => of.retention_age_ms / 1000,
  ],
  [
    "alarm_lag_seconds",
    "The longest delay of an alarm in the last five minutes.",
    ({ alarm_lag_ms }) => alarm_lag_ms / 1000,
  ],
];

/** The gauges of the current leases of all accounts. */
const LEASES: [name: string, help: string, value: (gauges: Gauges) => number][] = [
  ["call_leases", "Calls that hold a lease.", ({ call_leases }) => call_leases],
  ["live_leases", "Streams and conversations that hold a lease.", ({ live_leases }) => live_leases],
];

/** The counters of the current day. Each starts over at midnight (UTC), which Prometheus treats as a restart. */
const OF_DAY: [name: string, help: string, value: (today: Metrics["today"]) => number][] = [
  ["calls", "Calls", ({ calls }) => calls],
  ["calls_answered", "Answered calls", ({ answered }) => answered],
  ["conversations", "Conversations", ({ conversations }) => conversations],
  ["talk_seconds", "Seconds of calls", ({ talk_ms }) => talk_ms / 1000],
  ["input_tokens", "Tokens that models read", ({ input_tokens }) => input_tokens],
  ["output_tokens", "Tokens that models wrote", ({ output_tokens }) => output_tokens],
  ["tool_runs", "Tool runs", ({ tool_runs }) => tool_runs],
  ["model_errors", "Failed model requests", ({ model_errors }) => model_errors],
];

/** Formats metrics for Prometheus. Labels contain only the service's own words, never customers' data. */
export function exposition({ objects, today, accounts, untold_ms, jobs }: Metrics): string {
  const lines = [...family("accounts", "gauge", "Accounts.", [["", accounts]])];
  for (const [name, help, value] of OF_OBJECTS) {
    const samples = objects.map((gauges): [string, number] => [`{kind="${gauges.kind}"}`, value(gauges)]);
    lines.push(...family(name, "gauge", help, samples));
  }
  for (const [name, help, value] of LEASES) {
    const sum = objects.reduce((total, gauges) => total + value(gauges), 0);
    lines.push(...family(name, "gauge", help, [["", sum]]));
  }
  const untold = "The longest time for which an account's ledger has waited to be told its retention.";
  lines.push(...family("retention_untold_seconds", "gauge", untold, [["", untold_ms / 1000]]));
  const failing = "How long every run of the scheduled job has failed.";
  const jobSamples = jobs.map(({ job, failing_ms }): [string, number] => [`{job="${job}"}`, failing_ms / 1000]);
  lines.push(...family("job_failing_seconds", "gauge", failing, jobSamples));
  for (const [name, help, value] of OF_DAY)
    lines.push(...family(`${name}_total`, "counter", `${help} today (UTC); reset at midnight.`, [["", value(today)]]));
  return `${lines.join("\n")}\n`;
}

function family(
  name: string,
  type: "counter" | "gauge",
  help: string,
  samples: [labels: string, value: number][],
): string[] {
  const full = `switchboard_${name}`;
  return [
    `# HELP ${full} ${help}`,
    `# TYPE ${full} ${type}`,
    ...samples.map(([labels, value]) => `${full}${labels} ${value}`),
  ];
}

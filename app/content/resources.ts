import { capitalize } from "~/lib/capitalize";
import { decimal, grouped } from "~/lib/format-number";
import { utcTime } from "~/lib/format-time";
import type { Incident } from "~/services/resources/incidents.server";
import { INCIDENT_RULES } from "~/services/resources/incident-rules";
import type { HealthPart, OverLimit } from "~/services/resources/usage";

const percent = (value: number) => `${decimal(value)} %`;
const PARTS: Record<HealthPart, string> = { memory: "memory", cpu: "CPU", disk: "disk" };

/** Texts about the server's resources; the specification's words are used verbatim. */
export const resourceMessages = {
  units: {
    percent,
    rate: (value: number) => `${decimal(value)} KB/s`,
    count: (value: number) => decimal(value),
    megabytes: (value: number) => `${decimal(value)} MB`,
    gigabytes: (value: number) => `${decimal(value)} GB`,
  },
  title: "System Resources Monitor",
  failed: "Failed to fetch resource data",
  inContainer: {
    both: "Memory and CPU are relative to this container's limits.",
    memory: "Memory is relative to this container's limit.",
    cpu: "CPU is relative to this container's limit.",
  },
  /** "Memory 74.2 % is over 70 %". */
  reasons: (over: readonly OverLimit[]) =>
    capitalize(
      over.map(({ part, percentage, limit }) => formatLimit(PARTS[part], percentage, limit)).join(", "),
    ),
  history: {
    lengths: { day: "Last 24 hours", month: "Last 30 days" },
    label: (name: string, over: "day" | "month") =>
      `${name}, the last ${over === "day" ? "24 hours" : "30 days"}; the numbers are in the table below`,
    names: {
      cpu: "CPU",
      memory: "Memory",
      disk: "Disk",
      inbound: "Inbound",
      outbound: "Outbound",
      meetings: "Meetings",
    },
    time: { day: "Hour (UTC)", month: "Day (UTC)" },
    columns: {
      cpu: "CPU mean",
      cpu_peak: "CPU peak",
      memory: "Memory mean",
      memory_peak: "Memory peak",
      disk: "Disk",
      inbound: "Inbound",
      outbound: "Outbound",
      meetings: "Meetings",
    },
  },
  incident: formatIncident,
  email: {
    began: (incident: Incident) => `Incident: ${formatIncident(incident)}`,
    ended: (incident: Incident) => `Resolved: ${formatIncident(incident)}`,
    beganText: (incident: Incident) =>
      `On ${incident.instance}, ${utcTime(incident.began_at)}: ${formatIncident(incident)}. You will get another email when it is over.`,
    endedText: (incident: Incident) =>
      `On ${incident.instance} this ended at ${utcTime(incident.ended_at ?? incident.began_at)}: ${formatIncident(incident)}. It began at ${utcTime(incident.began_at)}.`,
    look: "See the server's resources",
    footer:
      "You get this because you have an account in the back office and INCIDENT_MAILS is on. At most five incidents an hour are emailed.",
  },
} as const;

/** Returns "memory 74.2 % is over 70 %"; a value that rounds to the limit is "at" it. */
function formatLimit(name: string, percentage: number, limit: number): string {
  const isAt = percentage.toFixed(1) === limit.toFixed(1);
  return `${name} ${percent(percentage)} ${isAt ? "is at its limit of" : "is over"} ${limit} %`;
}

/** Describes an incident by its peak value so far. */
function formatIncident({ kind, peak }: Pick<Incident, "kind" | "peak">): string {
  const { limit } = INCIDENT_RULES[kind];
  if (kind === "redis") return "Redis is disconnected";
  if (kind === "meetings") return `${grouped(peak)} meetings at once, ${limit} or more`;
  return formatLimit(PARTS[kind], peak, limit);
}

import type { ResourceIncidentsTable as Incident } from "~/db/tables/monitoring";
import { capitalize } from "~/lib/capitalize";
import { decimal, grouped } from "~/lib/format-number";
import { utcTime } from "~/lib/format-time";
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
  failedHint: "The log says why. The page retries every 30 seconds.",
  tryAgain: "Try Again",
  refresh: "Refresh",
  refreshing: "Refreshing...",
  measuredOn: (instance: string) => `Measured on ${instance}.`,
  inContainer: {
    both: "Memory and CPU are relative to this container's limits.",
    memory: "Memory is relative to this container's limit.",
    cpu: "CPU is relative to this container's limit.",
  },
  disk: "Disk Usage",
  memory: "Memory Usage",
  cpu: "CPU Usage",
  cpuCaption: "System CPU utilization",
  used: (name: string) => `${name} in percent`,
  /** Beside a yellow or red bar. */
  reached: (limit: number) => `${limit} % or more`,
  total: "Total",
  free: "Free",
  reserved: "Reserved for the system",
  redis: {
    title: "Redis Status",
    connected: "Connected",
    disconnected: "Disconnected",
    memory: "Memory",
    keys: "Total keys",
    meetings: "Active meetings",
    connection: "Connection string",
  },
  meetings: {
    title: "Meeting Metrics",
    concurrent: "Concurrent meetings",
    bots: "Active bots",
    recordings: "Total recordings",
    load: "Load",
    capacity: (meetings: number, capacity: number) => `${grouped(meetings)}/${capacity} capacity`,
  },
  health: {
    title: "System Health",
    infrastructure: "Infrastructure",
    healthy: "Healthy",
    warning: "Warning",
    redis: "Redis",
    online: "Online",
    offline: "Offline",
    load: "Meeting Load",
    /** "Memory 74.2 % is over 70 %". */
    reasons: (over: readonly OverLimit[]) =>
      capitalize(
        over.map(({ part, percentage, limit }) => formatLimit(PARTS[part], percentage, limit)).join(", "),
      ),
    allBelow: "Memory, CPU and disk are below their limits.",
    withoutRedis: {
      machine: "Set REDIS_URL to see Redis and meetings here.",
      platform: "Redis and meetings appear here when the platform reports them.",
    },
  },
  network: {
    title: "Network Usage",
    inbound: "Inbound",
    outbound: "Outbound",
    received: "Total received",
    transmitted: "Total transmitted",
  },
  cores: {
    title: (cores: number) => `CPU Cores (${cores})`,
    mean: "The kernel reports a container's CPU time as one total, so each core shows the mean.",
  },
  lastUpdated: "Last updated",
  autoRefresh: "Auto-refreshes every 30 seconds",
  history: {
    title: "History",
    lengths: { day: "Last 24 hours", month: "Last 30 days" },
    empty:
      "The first minute appears here soon. One day is kept minute by minute, 30 days in steps of 15 minutes.",
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
    /** The highest of all measurements, as in the table. */
    peak: (value: string) => `peak ${value}`,
    /** The highest mean of a point, where no peaks are kept. */
    highest: (value: string, over: "day" | "month") =>
      `highest ${over === "day" ? "6 minutes" : "3 hours"} ${value}`,
    limit: (value: string) => `limit ${value}`,
    incident: "incident",
    nothingMeasured: "not measured",
    time: { day: "Hour", month: "Day" },
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
    notMeasured: "–",
  },
  neighbours: {
    title: "Other servers",
    description: "Averages of the last minute, measured by each server.",
  },
  incidents: {
    title: "Incidents",
    empty:
      "No incidents in the last 30 days. An incident begins when a limit is reached for 30 seconds and ends when the value stays well below it for a minute.",
    began: "Began",
    ended: "Ended",
    lasts: "Ongoing",
    lines: "Log lines",
    linesOf: (incident: Pick<Incident, "kind" | "peak">) =>
      `Log lines of the time: ${formatIncident(incident)}`,
    subject: formatIncident,
  },
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

import type { ReactNode } from "react";
import { Progress } from "~/components/ui/progress";
import { Badge, type BadgeProps } from "~/components/ui/badge";
import { Card, CardAction, CardContent, CardHeader, CardTitle } from "~/components/ui/card";
import { readinessMessages } from "~/content/readiness";
import { resourceMessages as copy } from "~/content/resources";
import { cn } from "~/lib/utils";
import { grouped } from "~/lib/format-number";
import { bytesToGigabytes, bytesToMegabytes } from "~/lib/sizes";
import type {
  MeetingMetrics,
  RedisStatus,
  SystemResources,
  Usage,
} from "~/services/resources/system-resources";
import {
  getReservedBytes,
  MEETING_CAPACITY,
  meetingLoad,
  meetingLoadPercentage,
  meetingTone,
  listOverLimits,
  USAGE_DANGER,
  USAGE_WARNING,
  usageTone,
} from "~/services/resources/usage";

const { percent, rate, megabytes, gigabytes } = copy.units;

type CardsProps = {
  resources: SystemResources;
  /** True in a container, where the kernel reports nothing about single cores. */
  isContainerCpu: boolean;
  /** The reason that /readyz gives for its 503; undefined when this server is ready. */
  notReady: string | undefined;
  /** True when the platform reports the resources, and not this machine. */
  isMeasuredByPlatform: boolean;
};

/** Columns that leave no single card on the last line. */
const GRIDS = { 2: "sm:grid-cols-2", 3: "md:grid-cols-3", 4: "sm:grid-cols-2 lg:grid-cols-4" } as const;

/** Shows the specification's cards; those of Redis and of meetings only when there is data for them. */
export function Cards({ resources, isContainerCpu, notReady, isMeasuredByPlatform }: CardsProps) {
  const { diskUsage, memory, cpu, redis, meetings, network } = resources;
  const cardCount = redis && meetings ? 4 : redis || meetings ? 3 : 2;
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-3">
        <UsageCard title={copy.disk} percentage={diskUsage.usagePercentage}>
          <UsageFacts of={diskUsage} reserved={getReservedBytes(diskUsage)} />
        </UsageCard>
        <UsageCard title={copy.memory} percentage={memory.usagePercentage}>
          <UsageFacts of={memory} reserved={0} />
        </UsageCard>
        <UsageCard title={copy.cpu} percentage={cpu.usagePercentage}>
          <p className="text-xs text-muted-foreground">{copy.cpuCaption}</p>
        </UsageCard>
      </div>
      <div className={cn("grid gap-4", GRIDS[cardCount])}>
        <HealthCard resources={resources} notReady={notReady} isMeasuredByPlatform={isMeasuredByPlatform} />
        {redis ? <RedisCard redis={redis} /> : null}
        {meetings ? <MeetingsCard meetings={meetings} /> : null}
        <NetworkCard network={network} />
      </div>
      <CoresCard cpu={cpu} isContainer={isContainerCpu} />
    </>
  );
}

type ResourceCardProps = {
  title: string;
  badge?: { variant: BadgeProps["variant"]; text: string } | undefined;
  facts?: FactsProps["facts"];
  children?: ReactNode;
};

function ResourceCard({ title, badge, facts, children }: ResourceCardProps) {
  return (
    <Card>
      <CardHeader>
        <CardTitle>{title}</CardTitle>
        {badge ? (
          <CardAction>
            <Badge variant={badge.variant}>{badge.text}</Badge>
          </CardAction>
        ) : null}
      </CardHeader>
      <CardContent className="flex flex-col gap-3 pt-3">
        {facts ? <Facts facts={facts} /> : null}
        {children}
      </CardContent>
    </Card>
  );
}

type UsageCardProps = { title: string; percentage: number; children: ReactNode };

function UsageCard({ title, percentage, children }: UsageCardProps) {
  const tone = usageTone(percentage);
  const limit = tone === "destructive" ? USAGE_DANGER : USAGE_WARNING;
  return (
    <ResourceCard
      title={title}
      badge={tone === "success" ? undefined : { variant: tone, text: copy.reached(limit) }}
    >
      <p className="text-xl font-semibold tracking-tight tabular-nums">{percent(percentage)}</p>
      <Progress role="meter" aria-label={copy.used(title)} value={rounded(percentage)} variant={tone} />
      {children}
    </ResourceCard>
  );
}

/** Lists sizes; `reserved`, in bytes, is neither used nor free, and 0 is not shown. */
function UsageFacts({ of, reserved }: { of: Usage; reserved: number }) {
  const inGigabytes = (bytes: number) => gigabytes(bytesToGigabytes(bytes));
  return (
    <Facts
      facts={[
        [copy.total, inGigabytes(of.totalBytes)],
        [copy.free, inGigabytes(of.freeBytes)],
        ...(reserved > 0 ? [[copy.reserved, inGigabytes(reserved)] as const] : []),
      ]}
    />
  );
}

/** Reports the health, with reasons when something is wrong. Parts that are not configured are left out. */
function HealthCard({ resources, notReady, isMeasuredByPlatform }: Omit<CardsProps, "isContainerCpu">) {
  const { redis, meetings } = resources;
  const { health } = copy;
  const over = listOverLimits(resources);
  const reasons = [
    notReady === undefined ? undefined : readinessMessages.sentence(notReady),
    over.length === 0 ? undefined : `${health.reasons(over)}.`,
  ].filter((reason) => reason !== undefined);
  const isHealthy = reasons.length === 0;
  return (
    <ResourceCard title={health.title}>
      <div className="flex flex-col gap-1">
        <StateFact name={health.infrastructure} variant={isHealthy ? "success" : "warning"}>
          {isHealthy ? health.healthy : health.warning}
        </StateFact>
        <p className="text-xs text-muted-foreground">{isHealthy ? health.allBelow : reasons.join(" ")}</p>
      </div>
      {redis ? (
        <StateFact name={health.redis} variant={redis.isConnected ? "success" : "destructive"}>
          {redis.isConnected ? health.online : health.offline}
        </StateFact>
      ) : (
        <p className="text-xs text-muted-foreground">
          {health.withoutRedis[isMeasuredByPlatform ? "platform" : "machine"]}
        </p>
      )}
      {meetings ? (
        <StateFact name={health.load} variant={meetingTone(meetings.concurrentMeetings)}>
          {meetingLoad(meetings.concurrentMeetings)}
        </StateFact>
      ) : null}
    </ResourceCard>
  );
}

type StateFactProps = { name: string; variant: BadgeProps["variant"]; children: string };

function StateFact({ name, variant, children }: StateFactProps) {
  return <Facts facts={[[name, <Badge variant={variant}>{children}</Badge>]]} />;
}

function RedisCard({ redis }: { redis: RedisStatus }) {
  const text = copy.redis;
  const badge = redis.isConnected
    ? ({ variant: "success", text: text.connected } as const)
    : ({ variant: "destructive", text: text.disconnected } as const);
  return (
    <ResourceCard
      title={text.title}
      badge={badge}
      facts={[
        [text.memory, megabytes(redis.memoryUsageMB)],
        [text.keys, grouped(redis.totalKeys)],
        [text.meetings, grouped(redis.activeMeetings)],
      ]}
    >
      <div className="text-sm">
        <h3 className="text-muted-foreground">{text.connection}</h3>
        <code className="font-mono text-xs wrap-anywhere">{redis.connectionString}</code>
      </div>
    </ResourceCard>
  );
}

function MeetingsCard({ meetings }: { meetings: MeetingMetrics }) {
  const { concurrentMeetings, activeBots, totalRecordings } = meetings;
  const text = copy.meetings;
  const tone = meetingTone(concurrentMeetings);
  return (
    <ResourceCard
      title={text.title}
      badge={{ variant: tone, text: meetingLoad(concurrentMeetings) }}
      facts={[
        [text.concurrent, grouped(concurrentMeetings)],
        [text.bots, grouped(activeBots)],
        [text.recordings, grouped(totalRecordings)],
      ]}
    >
      <div className="flex flex-col gap-1.5 text-sm">
        <p className="flex justify-between gap-4">
          <span className="text-muted-foreground">{text.load}</span>
          <span className="tabular-nums">{text.capacity(concurrentMeetings, MEETING_CAPACITY)}</span>
        </p>
        <Progress
          role="meter"
          aria-label={text.load}
          value={Math.round(meetingLoadPercentage(concurrentMeetings))}
          variant={tone}
        />
      </div>
    </ResourceCard>
  );
}

function NetworkCard({ network }: Pick<SystemResources, "network">) {
  const text = copy.network;
  return (
    <ResourceCard
      title={text.title}
      facts={[
        [text.inbound, rate(network.inboundKBps)],
        [text.outbound, rate(network.outboundKBps)],
        [text.received, megabytes(bytesToMegabytes(network.totalBytesReceived))],
        [text.transmitted, megabytes(bytesToMegabytes(network.totalBytesTransmitted))],
      ]}
    />
  );
}

function CoresCard({ cpu, isContainer }: Pick<SystemResources, "cpu"> & { isContainer: boolean }) {
  return (
    <ResourceCard title={copy.cores.title(cpu.coreCount)}>
      <ul className="grid grid-cols-[repeat(auto-fit,minmax(min(9rem,100%),1fr))] gap-x-6 gap-y-3">
        {Object.entries(cpu.coreUsages).map(([core, percentage]) => (
          <li key={core} className="flex flex-col gap-1.5 text-xs">
            <p className="flex justify-between gap-3">
              <span className="text-muted-foreground">{core}</span>
              <span className="tabular-nums">{percent(percentage)}</span>
            </p>
            <Progress
              role="meter"
              aria-label={core}
              value={rounded(percentage)}
              variant={usageTone(percentage)}
            />
          </li>
        ))}
      </ul>
      {isContainer ? <p className="text-xs text-muted-foreground">{copy.cores.mean}</p> : null}
    </ResourceCard>
  );
}

type FactsProps = { facts: readonly (readonly [name: string, value: ReactNode])[] };

function Facts({ facts }: FactsProps) {
  return (
    <dl className="grid grid-cols-[fit-content(50%)_minmax(0,1fr)] gap-x-2 gap-y-1.5 text-sm">
      {facts.map(([name, value]) => (
        <div key={name} className="col-span-2 grid grid-cols-subgrid items-baseline">
          <dt className="text-muted-foreground">{name}</dt>
          <dd className="text-right tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Rounds to one decimal, so that the announced value is the one shown. */
const rounded = (percentage: number) => Math.round(percentage * 10) / 10;

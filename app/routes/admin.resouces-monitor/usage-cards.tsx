import { Meter } from "~/components/meter";
import { Badge } from "~/components/ui/badge";
import { Card, CardContent, CardTitle } from "~/components/ui/card";
import { decimal } from "~/lib/format-number";
import { bytesToGigabytes } from "~/lib/sizes";
import { operatorMessages } from "~/content/operator-messages";
import { getReservedBytes } from "~/services/resources/reserved-bytes";
import type { SystemResources, Usage } from "~/services/resources/system-resources";
import { USAGE_DANGER, USAGE_WARNING, usageTone } from "~/services/resources/thresholds";
import { Facts } from "./facts";

const copy = operatorMessages.resources;
const { percent } = copy.units;

/** Disk Usage, Memory Usage, CPU Usage. */
export function UsageCards({ resources }: { resources: SystemResources }) {
  const { diskUsage, memory, cpu } = resources;
  const reserved = getReservedBytes(diskUsage);
  return (
    <div className="grid gap-4 sm:grid-cols-3">
      <UsageCard
        title={copy.disk}
        percentage={diskUsage.usagePercentage}
        of={diskUsage}
        reserved={reserved}
      />
      <UsageCard title={copy.memory} percentage={memory.usagePercentage} of={memory} />
      <UsageCard title={copy.cpu} percentage={cpu.usagePercentage} />
    </div>
  );
}

interface UsageCardProps {
  title: string;
  percentage: number;
  of?: Usage;
  /** Bytes that are neither used nor free; 0 is not shown. */
  reserved?: number;
}

function UsageCard({ title, percentage, of, reserved = 0 }: UsageCardProps) {
  const tone = usageTone(percentage);
  return (
    <Card>
      <CardContent className="flex h-full flex-col gap-3">
        <div className="flex items-center justify-between gap-3">
          <CardTitle>{title}</CardTitle>
          {tone === "success" ? null : (
            <Badge variant={tone}>{copy.reached(tone === "danger" ? USAGE_DANGER : USAGE_WARNING)}</Badge>
          )}
        </div>
        <p className="text-xl font-semibold tracking-tight tabular-nums">{percent(percentage)}</p>
        <Meter kind="meter" label={copy.used(title)} value={rounded(percentage)} max={100} tone={tone} />
        {of ? (
          <Facts
            facts={[
              [copy.total, copy.gigabytes(decimal(bytesToGigabytes(of.totalBytes)))],
              [copy.free, copy.gigabytes(decimal(bytesToGigabytes(of.freeBytes)))],
              ...(reserved > 0
                ? [[copy.reserved, copy.gigabytes(decimal(bytesToGigabytes(reserved)))] as const]
                : []),
            ]}
          />
        ) : (
          <p className="text-xs text-muted-foreground">{copy.cpuCaption}</p>
        )}
      </CardContent>
    </Card>
  );
}

/** What is read aloud is what is written. */
export const rounded = (percentage: number) => Math.round(percentage * 10) / 10;

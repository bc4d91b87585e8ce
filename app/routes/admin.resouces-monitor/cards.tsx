import { cn } from "~/lib/class-names";
import type { SystemResources } from "~/services/resources/system-resources";
import { CoresCard } from "./cores-card";
import { HealthCard } from "./health-card";
import { MeetingsCard } from "./meetings-card";
import { NetworkCard } from "./network-card";
import { RedisCard } from "./redis-card";
import { UsageCards } from "./usage-cards";

type CardsProps = {
  resources: SystemResources;
  /** The kernel tells nothing of single cores there. */
  isContainerCpu: boolean;
};

/** Two, three or four beside one another, and none left alone in a line. */
const GRIDS = { 2: "sm:grid-cols-2", 3: "md:grid-cols-3", 4: "sm:grid-cols-2 lg:grid-cols-4" } as const;

/** The specification's cards; those of Redis and of meetings only where there is something to show. */
export function Cards({ resources, isContainerCpu }: CardsProps) {
  const { redis, meetings, network, cpu } = resources;
  const states = redis && meetings ? 4 : redis || meetings ? 3 : 2;
  return (
    <>
      <UsageCards resources={resources} />
      <div className={cn("grid gap-4", GRIDS[states])}>
        <HealthCard resources={resources} />
        {redis ? <RedisCard redis={redis} /> : null}
        {meetings ? <MeetingsCard meetings={meetings} /> : null}
        <NetworkCard network={network} />
      </div>
      <CoresCard cpu={cpu} isContainer={isContainerCpu} />
    </>
  );
}

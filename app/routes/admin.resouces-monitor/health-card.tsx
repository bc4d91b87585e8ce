import { Badge } from "~/components/ui/badge";
import { Card, CardContent, CardTitle } from "~/components/ui/card";
import { operatorMessages } from "~/content/operator-messages";
import type { SystemResources } from "~/services/resources/system-resources";
import { meetingLoad, meetingTone, overLimits } from "~/services/resources/thresholds";
import { Facts } from "./facts";

const copy = operatorMessages.resources.health;

/** Whether all is well, and when it is not, why. What is not set up has no line. */
export function HealthCard({ resources }: { resources: SystemResources }) {
  const { redis, meetings } = resources;
  const over = overLimits(resources);
  const isHealthy = over.length === 0;
  return (
    <Card>
      <CardContent className="flex flex-col gap-3">
        <CardTitle>{copy.title}</CardTitle>
        <div className="flex flex-col gap-1">
          <Facts
            facts={[
              [
                copy.infrastructure,
                <Badge key="state" variant={isHealthy ? "success" : "warning"}>
                  {isHealthy ? copy.healthy : copy.warning}
                </Badge>,
              ],
            ]}
          />
          <p className="text-xs text-muted-foreground">
            {isHealthy ? copy.allBelow : `${copy.because(over)}.`}
          </p>
        </div>
        {redis ? (
          <Facts
            facts={[
              [
                copy.redis,
                <Badge key="state" variant={redis.isConnected ? "success" : "danger"}>
                  {redis.isConnected ? copy.online : copy.offline}
                </Badge>,
              ],
            ]}
          />
        ) : (
          <p className="text-xs text-muted-foreground">{copy.withoutRedis}</p>
        )}
        {meetings ? (
          <Facts
            facts={[
              [
                copy.load,
                <Badge key="state" variant={meetingTone(meetings.concurrentMeetings)}>
                  {meetingLoad(meetings.concurrentMeetings)}
                </Badge>,
              ],
            ]}
          />
        ) : null}
      </CardContent>
    </Card>
  );
}

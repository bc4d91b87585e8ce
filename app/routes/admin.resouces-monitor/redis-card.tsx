import { Badge } from "~/components/ui/badge";
import { Card, CardContent, CardTitle } from "~/components/ui/card";
import { decimal } from "~/lib/format-number";
import { operatorMessages } from "~/content/operator-messages";
import type { RedisStatus } from "~/services/resources/system-resources";
import { Facts } from "./facts";

const copy = operatorMessages.resources.redis;

export function RedisCard({ redis }: { redis: RedisStatus }) {
  return (
    <Card>
      <CardContent className="flex flex-col gap-3">
        <div className="flex items-center justify-between gap-3">
          <CardTitle>{copy.title}</CardTitle>
          <Badge variant={redis.isConnected ? "success" : "danger"}>
            {redis.isConnected ? copy.connected : copy.disconnected}
          </Badge>
        </div>
        <Facts
          facts={[
            [copy.memory, copy.megabytes(decimal(redis.memoryUsageMB))],
            [copy.keys, redis.totalKeys.toLocaleString("en")],
            [copy.meetings, redis.activeMeetings.toLocaleString("en")],
          ]}
        />
        <div className="text-sm">
          <h3 className="text-muted-foreground">{copy.connection}</h3>
          <code className="font-mono text-xs wrap-anywhere">{redis.connectionString}</code>
        </div>
      </CardContent>
    </Card>
  );
}

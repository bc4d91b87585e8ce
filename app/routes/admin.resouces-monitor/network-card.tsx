import { Card, CardContent, CardTitle } from "~/components/ui/card";
import { decimal } from "~/lib/format-number";
import { bytesToMegabytes } from "~/lib/sizes";
import { operatorMessages } from "~/content/operator-messages";
import type { SystemResources } from "~/services/resources/system-resources";
import { Facts } from "./facts";

const copy = operatorMessages.resources.network;

export function NetworkCard({ network }: Pick<SystemResources, "network">) {
  const megabytes = (bytes: number) => copy.megabytes(decimal(bytesToMegabytes(bytes)));
  return (
    <Card>
      <CardContent className="flex flex-col gap-3">
        <CardTitle>{copy.title}</CardTitle>
        <Facts
          facts={[
            [copy.inbound, copy.rate(decimal(network.inboundKBps))],
            [copy.outbound, copy.rate(decimal(network.outboundKBps))],
            [copy.received, megabytes(network.totalBytesReceived)],
            [copy.transmitted, megabytes(network.totalBytesTransmitted)],
          ]}
        />
      </CardContent>
    </Card>
  );
}

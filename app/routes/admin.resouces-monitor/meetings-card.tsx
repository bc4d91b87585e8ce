import { Meter } from "~/components/meter";
import { Badge } from "~/components/ui/badge";
import { Card, CardContent, CardTitle } from "~/components/ui/card";
import { operatorMessages } from "~/content/operator-messages";
import type { MeetingMetrics } from "~/services/resources/system-resources";
import {
  MEETING_CAPACITY,
  meetingLoad,
  meetingLoadPercentage,
  meetingTone,
} from "~/services/resources/thresholds";
import { Facts } from "./facts";

const copy = operatorMessages.resources.meetings;

export function MeetingsCard({ meetings }: { meetings: MeetingMetrics }) {
  const { concurrentMeetings, activeBots, totalRecordings } = meetings;
  const tone = meetingTone(concurrentMeetings);
  return (
    <Card>
      <CardContent className="flex flex-col gap-3">
        <div className="flex items-center justify-between gap-3">
          <CardTitle>{copy.title}</CardTitle>
          <Badge variant={tone}>{meetingLoad(concurrentMeetings)}</Badge>
        </div>
        <Facts
          facts={[
            [copy.concurrent, concurrentMeetings.toLocaleString("en")],
            [copy.bots, activeBots.toLocaleString("en")],
            [copy.recordings, totalRecordings.toLocaleString("en")],
          ]}
        />
        <div className="flex flex-col gap-1.5 text-sm">
          <p className="flex justify-between gap-4">
            <span className="text-muted-foreground">{copy.load}</span>
            <span className="tabular-nums">{copy.capacity(concurrentMeetings, MEETING_CAPACITY)}</span>
          </p>
          <Meter
            kind="meter"
            label={copy.load}
            value={Math.round(meetingLoadPercentage(concurrentMeetings))}
            max={100}
            tone={tone}
          />
        </div>
      </CardContent>
    </Card>
  );
}

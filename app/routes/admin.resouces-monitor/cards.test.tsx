import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { createSystemResources, type Figures } from "../../../tests/factories/resources";
import { Cards } from "./cards";

function render(figures: Figures, isContainerCpu = false, notReady?: string, isMeasuredByPlatform = false) {
  const html = renderToStaticMarkup(
    <Cards
      resources={createSystemResources(figures)}
      isContainerCpu={isContainerCpu}
      notReady={notReady}
      isMeasuredByPlatform={isMeasuredByPlatform}
    />,
  );
  const titles = [...html.matchAll(/<h2[^>]*>([^<]+)<\/h2>/g)].map(([, title]) => title);
  const text = html.replace(/<[^>]+>/g, "|").replace(/\|+/g, "|");
  return { html, titles, text };
}

const ALWAYS = ["Disk Usage", "Memory Usage", "CPU Usage", "System Health", "Network Usage", "CPU Cores (2)"];

describe("the cards of the System Resources Monitor (specification, section 2)", () => {
  it.each<[string, Figures, string[]]>([
    ["Redis is not set up", {}, []],
    ["Redis is connected and nobody tells of meetings", { redis: true }, ["Redis Status"]],
    ["Redis is disconnected", { redis: false }, ["Redis Status"]],
    ["there is both", { redis: true, meetings: 0 }, ["Redis Status", "Meeting Metrics"]],
    ["meetings come from elsewhere", { meetings: 3 }, ["Meeting Metrics"]],
  ])("when %s", (_, figures, further) => {
    expect(render(figures).titles.toSorted()).toEqual([...ALWAYS, ...further].toSorted());
  });

  it.each<[Figures, string[], string[]]>([
    [{}, ["Infrastructure|Healthy"], ["Online", "Offline", "Meeting Load"]],
    [{ redis: true }, ["|Connected|", "Redis|Online"], ["Disconnected", "Offline", "Meeting Load"]],
    [{ redis: false }, ["|Disconnected|", "Redis|Offline"], ["|Connected|", "Online"]],
    [{ memory: 69.9, cpu: 79.9, disk: 74.9 }, ["Infrastructure|Healthy"], ["Warning"]],
    [{ memory: 70 }, ["Infrastructure|Warning", "Memory 70.0 % is at its limit of 70 %."], ["Healthy"]],
    [{ memory: 74.2 }, ["Infrastructure|Warning", "Memory 74.2 % is over 70 %."], ["Healthy"]],
    [{ cpu: 80 }, ["Infrastructure|Warning", "CPU 80.0 % is at its limit of 80 %."], ["Healthy"]],
    [{ disk: 75 }, ["Infrastructure|Warning", "Disk 75.0 % is at its limit of 75 %."], ["Healthy"]],
    [
      { memory: 71, disk: 75.1 },
      ["Infrastructure|Warning", "Memory 71.0 % is over 70 %, disk 75.1 % is over 75 %."],
      ["Healthy"],
    ],
  ])("%j shows %j and not %j", (figures, present, absent) => {
    const { text } = render(figures);
    for (const words of present) expect(text).toContain(words);
    for (const words of absent) expect(text).not.toContain(words);
  });

  // R50
  it("warn while /readyz answers 503, with its reason in words", () => {
    const { text } = render({}, false, "disk-low");
    expect(text).toContain("Infrastructure|Warning|Not ready (disk-low): less disk space is free");
    expect(text).not.toContain("Healthy");
    expect(render({ disk: 96 }, false, "database-full").text).toContain(
      "Not ready (database-full): the disk of the database is full. Disk 96.0 % is over 75 %.",
    );
    expect(render({}, false, "failed").text).toContain("Not ready (failed): the log says why.");
  });

  it.each([
    [0, "success", "Low", 0],
    [7, "success", "Low", 47],
    [8, "caution", "Medium", 53],
    [11, "caution", "Medium", 73],
    [12, "destructive", "High", 80],
    [15, "destructive", "High", 100],
    [16, "destructive", "High", 100],
  ])("%d meetings are %s, a load called %s, and fill %d percent of the bar", (meetings, tone, load, full) => {
    const { html, text } = render({ redis: true, meetings });
    expect(text).toContain(`Meeting Load|${load}|`);
    expect(text).toContain(`Meeting Metrics|${load}|`);
    expect(text).toContain(`|${meetings}/15 capacity|`);
    const [, bar] = /aria-label="Load"(.*?)<\/svg>/.exec(html) ?? [];
    expect(bar).toContain(`aria-valuenow="${full}"`);
    expect(bar).toContain(`fill-${tone}`);
  });

  it.each([
    [0, "fill-success"],
    [69.9, "fill-success"],
    [70, "fill-caution"],
    [89.9, "fill-caution"],
    [90, "fill-destructive"],
    [100, "fill-destructive"],
  ])("bars at %d percent are %s", (percentage, fill) => {
    const { html } = render({ memory: percentage, cpu: percentage, disk: percentage });
    // Three cards and two cores.
    expect(html.split(fill)).toHaveLength(6);
    expect(html.match(/fill-(?:success|caution|destructive)/g)).toHaveLength(5);
  });

  it("say percentages to one decimal, GB, MB and KB a second", () => {
    const { text, html } = render({ memory: 40.04, redis: true, meetings: 16 });
    expect(text).toContain("Memory Usage|40.0 %");
    expect(text).toContain("Total|100.0 GB|Free|60.0 GB");
    expect(text).toContain("Disk Usage|30.0 %|Total|100.0 GB|Free|70.0 GB");
    expect(text).toContain("System CPU utilization");
    expect(text).toContain("Memory|1.5 MB|Total keys|1,234|Active meetings|16");
    expect(text).toContain("Connection string|redis://***:***@127.0.0.1:6379");
    expect(text).toContain("Concurrent meetings|16|Active bots|3|Total recordings|1,204");
    expect(text).toContain(
      "Inbound|12.3 KB/s|Outbound|0.0 KB/s|Total received|5.0 MB|Total transmitted|1.0 MB",
    );
    expect(html).not.toContain("style=");
  });

  it("label each core's bar by the map's key, whatever it is", () => {
    const resources = createSystemResources();
    const cpu = { ...resources.cpu, coreUsages: { cpu0: 5, "Core 2": 95 } };
    const html = renderToStaticMarkup(
      <Cards
        resources={{ ...resources, cpu }}
        isContainerCpu={false}
        notReady={undefined}
        isMeasuredByPlatform={false}
      />,
    );
    const cores = html.slice(html.indexOf("CPU Cores"));
    expect([...cores.matchAll(/aria-label="([^"]*)"/g)].map(([, label]) => label)).toEqual([
      "cpu0",
      "Core 2",
    ]);
    expect(cores.replace(/<[^>]+>/g, "|").replace(/\|+/g, "|")).toContain("|cpu0|5.0 %|Core 2|95.0 %|");
  });

  it("say without Redis how to get its lines by the driver in use", () => {
    expect(render({}).text).toContain("Set REDIS_URL to see Redis and meetings here.");
    const { text } = render({}, false, undefined, true);
    expect(text).not.toContain("REDIS_URL");
    expect(text).toContain("Redis and meetings appear here when the platform reports them.");
  });

  it("say of a container that its cores show the mean", () => {
    expect(render({}, true).text).toContain("each core shows the mean");
    expect(render({}).text).not.toContain("each core shows the mean");
  });
});

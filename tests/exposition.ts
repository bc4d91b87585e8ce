/** A sample line of /metrics. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

interface Family {
  readonly type: string;
  readonly samples: readonly Sample[];
}

const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /([a-zA-Z_]\w*)="((?:[^"\\]|\\["\\n])*)"(?:,|$)/gy;
const HISTOGRAM = /_(?:bucket|sum|count)$/;

/**
 * Parses Prometheus' text format 0.0.4 or OpenMetrics 1.0, as strictly as their parsers: each family once, in
 * one block, with help and type before its samples, and no sample twice.
 * @throws an error that names the malformed line.
 */
export function readExposition(text: string, format: "text" | "openmetrics" = "text"): Map<string, Family> {
  const isOpen = format === "openmetrics";
  if (!text.endsWith(isOpen ? "\n# EOF\n" : "\n")) throw new Error("the end is missing");
  const lines = text
    .slice(0, isOpen ? -"# EOF\n".length : undefined)
    .split("\n")
    .slice(0, -1);
  const families = new Map<string, { type: string; samples: Sample[] }>();
  const seen = new Set<string>();
  const helped = new Set<string>();
  let current = "";
  for (const line of lines) {
    const fail = (why: string): never => {
      throw new Error(`${why}: ${line}`);
    };
    const [, word, name = "", rest = ""] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (word === "HELP") {
      if (helped.has(name)) fail("a second help");
      helped.add(name);
    } else if (word === "TYPE") {
      if (families.has(name) || !helped.has(name)) fail("a type out of its place");
      if (!/^(?:counter|gauge|histogram|summary)$/.test(rest)) fail("an unknown type");
      families.set((current = name), { type: rest, samples: [] });
    } else if (line === "") {
      if (isOpen) fail("an empty line");
    } else {
      const sample = readSample(line) ?? fail("no sample");
      const family = families.get(current) ?? fail("a sample of no family");
      const isCounter = isOpen && family.type === "counter";
      const belongs =
        family.type === "histogram" || family.type === "summary"
          ? sample.name.replace(HISTOGRAM, "") === current
          : sample.name === (isCounter ? `${current}_total` : current);
      if (!belongs) fail(`a sample among those of ${current}`);
      const key = line.slice(0, line.lastIndexOf(" "));
      if (seen.has(key)) fail("the same sample again");
      seen.add(key);
      family.samples.push(sample);
    }
  }
  return families;
}

function readSample(line: string): Sample | undefined {
  const [, name = "", inBraces = "", number = ""] = LINE.exec(line) ?? [];
  const found = [...inBraces.matchAll(LABEL)];
  const isComplete = found.map(([label]) => label).join("") === inBraces;
  const labels = Object.fromEntries(found.map(([, label = "", text = ""]) => [label, text]));
  const value = Number(number.replace("+Inf", "Infinity").replace("Nan", "NaN"));
  if (!name || !isComplete || (Number.isNaN(value) && number !== "Nan")) return undefined;
  return { name, labels, value };
}

/** Returns the value of the sample with this name and exactly these labels, undefined when there is none. */
export function getSampleValue(
  families: Map<string, Family>,
  name: string,
  labels: Readonly<Record<string, string>> = {},
): number | undefined {
  const wanted = JSON.stringify(Object.entries(labels).sort());
  const samples = [...families.values()].flatMap((family) => family.samples);
  return samples.find(
    (sample) => sample.name === name && JSON.stringify(Object.entries(sample.labels).sort()) === wanted,
  )?.value;
}

/** Setting with which a server answers `scrape`. */
export const METRICS = { METRICS_TOKEN: "a-token-of-thirty-two-characters" };

/** Reads the metrics of a server that was started with METRICS. */
export async function scrape(server: {
  fetch(path: string, init: RequestInit): Promise<Response>;
}): Promise<Map<string, Family>> {
  const headers = { Authorization: `Bearer ${METRICS.METRICS_TOKEN}` };
  return readExposition(await (await server.fetch("/metrics", { headers })).text());
}

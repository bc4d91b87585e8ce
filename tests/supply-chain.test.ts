import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { z } from "zod";

const names = z.record(z.string(), z.string());
const packageSchema = z.object({
  dependencies: names,
  optionalDependencies: names.default({}),
  devDependencies: names.default({}),
  overrides: z.record(z.string(), z.union([z.string(), names])).default({}),
  allowScripts: z.record(z.string(), z.boolean()),
});
const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.looseObject({
      version: z.string().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().optional(),
      hasInstallScript: z.boolean().optional(),
    }),
  ),
});

// Packages that npm start and npm test install, and the PostgreSQL for machines without one.
describe.each([".", "tests/postgres"])("the packages of %s", (folder) => {
  const parsed = (name: string): unknown => JSON.parse(readFileSync(join(folder, name), "utf8"));
  const { overrides, allowScripts, ...kinds } = packageSchema.parse(parsed("package.json"));
  const { "": ours, ...locked } = lockSchema.parse(parsed("package-lock.json")).packages;

  // C33
  it("every dependency and every override is one exact version", () => {
    // "npm:typescript@7.0.2" is a second version of a package under another name.
    const wanted = Object.values(kinds)
      .flatMap((packages) => Object.entries(packages))
      .map(([name, version]) => ({ name, version: version.replace(/^npm:[\w/@-]+@/, "") }));
    const overridden = Object.values(overrides).flatMap((one) =>
      typeof one === "string" ? one : Object.values(one),
    );
    const versions = [...wanted.map(({ version }) => version), ...overridden];
    expect(versions.length).toBeGreaterThan(0);
    expect(versions.filter((version) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
    const missing = wanted.filter(({ name, version }) => locked[`node_modules/${name}`]?.version !== version);
    expect(missing).toEqual([]);
  });

  // C33
  it("the lockfile belongs to this package.json and has the hash of every package", () => {
    expect({ optionalDependencies: {}, devDependencies: {}, ...ours }).toMatchObject(kinds);
    const unsure = Object.entries(locked).filter(
      ([, { integrity, link }]) => link === true || !/^sha512-[\w+/]{86}==$/.test(integrity ?? ""),
    );
    expect(unsure).toEqual([]);
  });

  // C33
  it("every package comes from the registry that is configured where it is installed", () => {
    expect(Object.entries(locked).filter(([, { resolved }]) => resolved !== undefined)).toEqual([]);
    expect(readFileSync(join(folder, ".npmrc"), "utf8")).not.toMatch(/registry|token|auth/i);
  });

  // C33
  it("each package with an install script is allowed or denied", () => {
    const toName = (path: string) => path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
    const scripted = Object.keys(locked).filter((path) => locked[path]?.hasInstallScript);
    expect(scripted.filter((path) => !(toName(path) in allowScripts))).toEqual([]);
    const known = Object.keys(locked).map(toName);
    expect(Object.keys(allowScripts).filter((name) => !known.includes(name))).toEqual([]);
  });
});

// C33
it("npm start and the image run no install script", () => {
  expect(readFileSync("scripts/prepare.mjs", "utf8")).toMatch(/= \["ci", [^\]]*"--ignore-scripts"/);
  const dockerfile = readFileSync("Dockerfile", "utf8");
  expect(dockerfile).toMatch(/^RUN node scripts\/prepare\.mjs --install$/m);
  const others = dockerfile.match(/\bnpm (?:ci|install|prune)\b[^&\n]*/g) ?? [];
  expect(others).not.toEqual([]);
  for (const command of others) expect(command).toContain("--ignore-scripts");
});

// C33
it("no script, style, font or module is loaded from another host", () => {
  const files = globSync([
    "{app,public,server}/**/*.{ts,tsx,css,js,mjs,html}",
    "vite.config.ts",
    "remix.config.js",
  ]);
  const foreign =
    /(?:\bsrc|\bsrcSet)=\{?["'`](?:https?:)?\/\/|url\(\s*["']?(?:https?:)?\/\/|@import\s+(?:url\()?["'](?:https?:)?\/\/|\b(?:import|importScripts)\(\s*["'`]https?:|\bfrom\s+["']https?:|<link[^>]*rel="(?:stylesheet|preload|modulepreload)"[^>]*href="https?:|\b(?:unpkg|jsdelivr|cdnjs|skypack|esm\.sh|fonts\.g(?:oogleapis|static))\b/;
  expect(files.length).toBeGreaterThan(300);
  expect(files.filter((file) => foreign.test(readFileSync(file, "utf8")))).toEqual([]);
});

import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { fileURLToPath } from "node:url";
import { defineConfig, type Rollup } from "vite";
import remixOptions from "./remix.config.js";
import { precompress } from "./scripts/precompress";

/** Remix and React, with the helper that imports them, change more rarely than ours and have a file of their own. */
const FRAMEWORK =
  /commonjsHelpers|\/node_modules\/(?:@remix-run|react|react-dom|react-router|react-router-dom|scheduler|turbo-stream)\//;
/** Entries of every page, and of the landing page, whose other visitors come next. */
const PUBLIC = /\/app\/(?:entry\.client|root|routes\/\(\$form\)\/route)\.tsx/;
const OFFICE_LAYOUT = /\/app\/routes\/admin\/route\.tsx/;
const OFFICE_SCREEN = /\/app\/routes\/admin\./;
/** The screen most operators begin with. */
const DASHBOARD = /\/app\/routes\/admin\.dashboard\//;
const TEXTS = /\/app\/content\//;
/** A module that this many screens of the back office import is fetched with the first of them; texts, if the dashboard has them. */
const MANY_SCREENS = 3;

/** The scale's packages: no runtime dependencies (tests/server/build.test.ts). */
const CHARTS = [/^@visx\//, /^d3-/, "internmap"];

/**
 * Joins what several pages load into a file for all of them, and one for the back office, instead of dozens: each response
 * carries the guard's headers, near to 1 KB. Other modules are left to Rollup.
 */
function getSharedFile(id: string, { getModuleInfo }: Rollup.ManualChunkMeta): string | undefined {
  if (FRAMEWORK.test(id)) return "framework";
  const importers = new Set([id]);
  // The set grows while it is iterated.
  for (const module of importers) getModuleInfo(module)?.importers.forEach((each) => importers.add(each));
  const entries = [...importers].filter((module) => getModuleInfo(module)?.isEntry);
  if (entries.length < 2) return undefined;
  if (entries.some((entry) => PUBLIC.test(entry))) return "shared";
  const screens = entries.filter((entry) => OFFICE_SCREEN.test(entry));
  const isFirst = !TEXTS.test(id) || screens.some((screen) => DASHBOARD.test(screen));
  const isOffice =
    entries.some((entry) => OFFICE_LAYOUT.test(entry)) || (screens.length >= MANY_SCREENS && isFirst);
  return isOffice ? "office" : undefined;
}

export default defineConfig(({ command, isSsrBuild }) => ({
  // Only hashed files are under /static/, so only they may be cached forever; public/ keeps its own paths.
  base: command === "build" ? "/static/" : "/",
  plugins: [tailwindcss(), remix(remixOptions), precompress("build/client/assets")],
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
  // Charts are bundled, so that their packages are no runtime dependencies; the others are bundled because finding
  // their hundreds of files took a third of the start time. Development does not bundle them.
  ssr: { noExternal: command === "build" ? ["kysely", "zod", "uuid", ...CHARTS] : [] },
  build: {
    target: "es2022",
    // remix-serve serves public/ itself; a copy would be under /static/ too, to be cached forever.
    copyPublicDir: false,
    // The content security policy allows no data: URL for fonts, and an inlined picture is loaded by those who never see it.
    assetsInlineLimit: 0,
    // 5 % smaller than with esbuild.
    minify: isSsrBuild ? false : "terser",
    reportCompressedSize: false,
    rollupOptions: { output: isSsrBuild ? {} : { manualChunks: getSharedFile } },
  },
  // Development: without this list packages found late are bundled with a second React.
  optimizeDeps: {
    include: [
      "react",
      "react-dom/client",
      "@remix-run/react",
      "@radix-ui/react-toast",
      "clsx",
      "firebase/app",
      "firebase/auth",
      "firebase/messaging",
    ],
  },
}));

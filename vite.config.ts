import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import remixOptions from "./remix.config.js";
import { precompress } from "./scripts/precompress";

/** Remix and React, with the helper that imports them, change more rarely than ours and have a file of their own. */
const FRAMEWORK =
  /commonjsHelpers|\/node_modules\/(?:@remix-run|react|react-dom|react-router|react-router-dom|scheduler|turbo-stream)\//;
/** Bundled, so that they are no runtime dependencies (tests/server/build.test.ts): charts, icons and class names. */
const BUNDLED = [
  /^@visx\//,
  /^d3-/,
  "internmap",
  "classnames",
  /^reduce-/,
  "math-expression-evaluator",
  "balanced-match",
  "lucide-react",
  "tailwind-merge",
];

export default defineConfig(({ command, isSsrBuild }) => ({
  // Only hashed files are under /static/, so only they may be cached forever; public/ keeps its own paths.
  base: command === "build" ? "/static/" : "/",
  plugins: [tailwindcss(), remix(remixOptions), precompress("build/client/assets")],
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
  // Finding the hundreds of files of the first three took a third of the start time. Development does not bundle them.
  ssr: { noExternal: command === "build" ? ["kysely", "zod", "uuid", ...BUNDLED] : [] },
  build: {
    target: "es2022",
    // remix-serve serves public/ itself; a copy would be under /static/ too, to be cached forever.
    copyPublicDir: false,
    // The content security policy allows no data: URL for fonts, and an inlined picture is loaded by those who never see it.
    assetsInlineLimit: 0,
    // 5 % smaller than with esbuild.
    minify: isSsrBuild ? false : "terser",
    reportCompressedSize: false,
    rollupOptions: {
      output: isSsrBuild
        ? {}
        : {
            manualChunks: (id) => (FRAMEWORK.test(id) ? "framework" : undefined),
            // A file of a few lines weighs less than its response headers: it goes into a file that is loaded with it.
            experimentalMinChunkSize: 560,
          },
    },
  },
  // Development: without this list packages found late are bundled with a second React.
  optimizeDeps: {
    include: [
      "react",
      "react-dom/client",
      "@remix-run/react",
      "@radix-ui/react-toast",
      "@visx/axis",
      "@visx/event",
      "@visx/grid",
      "@visx/scale",
      "@visx/shape",
      "@visx/tooltip",
      "clsx",
      "firebase/app",
      "firebase/auth",
      "firebase/messaging",
    ],
  },
}));

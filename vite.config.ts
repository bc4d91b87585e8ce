import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import remixOptions from "./remix.config.js";
import { precompress } from "./scripts/precompress";

/** Remix and React, with the helper that imports them, change more rarely than ours and have a file of their own. */
const FRAMEWORK =
  /commonjsHelpers|\/node_modules\/(?:@remix-run|react|react-dom|react-router|react-router-dom|scheduler|turbo-stream)\//;
/** The scale's packages: no runtime dependencies (tests/server/build.test.ts). */
const CHARTS = [/^@visx\//, /^d3-/, "internmap"];

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
    rollupOptions: {
      output: isSsrBuild ? {} : { manualChunks: (id) => (FRAMEWORK.test(id) ? "framework" : undefined) },
    },
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

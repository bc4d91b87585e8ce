import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import remixOptions from "./remix.config.js";
import { brandImages } from "./scripts/images/plugin";
import { precompress } from "./scripts/precompress";

const inPackages = (...names: string[]) => new RegExp(`/node_modules/(${names.join("|")})/`);

/**
 * Chunks: one file for the modules of every page and one for those of every back office screen, instead of dozens, because
 * each response has nearly 1 KB of headers. Remix changes less often than our code, so it has a chunk of its own, as does
 * the notification prompt, which only some browsers load.
 */
const sharedFiles = {
  framework: [
    inPackages(
      "@remix-run",
      "react",
      "react-dom",
      "react-router",
      "react-router-dom",
      "scheduler",
      "turbo-stream",
    ),
  ],
  shared: [
    inPackages("class-variance-authority", "clsx", "tailwind-merge"),
    /\/lucide-react\/dist\/esm\/[^/]+$/,
    /\/app\/paths\.ts$/,
    /\/app\/content\/(brand|brand-mark|messages)\.ts$/,
    /\/app\/lib\/(class-names|durations)\.ts$/,
    // Vite's helper of every import().
    /vite\/preload-helper/,
    // Components of the landing page and its forms.
    /\/app\/components\/(banner|dialog-page|failure|field|navigation-overlay|logo|nonce-context|use-before-paint|use-hydrated|ui\/(button|input|label|select|textarea))\.tsx?$/,
    /\/push\/push-permission\.ts$/,
  ],
  office: [
    /\/app\/content\/(?!brand|messages|push-messages)[^/]+\.ts$/,
    /\/app\/lib\/(capitalize|clean-text|format-number|format-time)\.ts$/,
    /\/app\/http\/list-state\.ts$/,
    /\/app\/services\/signups\/typed-columns\.ts$/,
    /\/app\/components\/(auto-refresh|campaign-state-badge|confirm-dialog|data-table|copy-button|form-response|intent-button|meter|notice|page-header|page-links|text-field|timestamp|user-mirror|ui\/(badge|card))\.tsx?$/,
  ],
  prompt: [/\/app\/content\/push-messages\.ts$/, /\/push\/prompt-card\.tsx$/],
};

/** The charts' packages and their dependencies: no runtime dependencies (tests/server/build.test.ts). */
const CHARTS = [
  /^@visx\//,
  /^d3-/,
  "internmap",
  "classnames",
  "reduce-css-calc",
  "math-expression-evaluator",
  "reduce-function-call",
  "balanced-match",
];

function getSharedFile(module: string): string | undefined {
  return Object.entries(sharedFiles).find(([, parts]) => parts.some((part) => part.test(module)))?.[0];
}

export default defineConfig(({ command, isSsrBuild }) => ({
  // Only hashed files are under /static/, so only they may be cached forever; public/ keeps its own paths.
  base: command === "build" ? "/static/" : "/",
  plugins: [brandImages(), tailwindcss(), remix(remixOptions), precompress("build/client/assets")],
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
  // Icons and charts are bundled, so that their packages are no runtime dependencies; the others are bundled because finding
  // their hundreds of files took a third of the start time. Development does not bundle them.
  ssr: { noExternal: command === "build" ? ["lucide-react", "kysely", "zod", "uuid", ...CHARTS] : [] },
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
      "class-variance-authority",
      "clsx",
      "tailwind-merge",
      "firebase/app",
      "firebase/auth",
      "firebase/messaging",
    ],
    // Each icon is a file of a few lines.
    exclude: ["lucide-react"],
  },
}));

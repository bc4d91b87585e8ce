import { vitePlugin as remix } from "@remix-run/dev";
import tailwindcss from "@tailwindcss/vite";
import { fileURLToPath } from "node:url";
import { defineConfig } from "vite";
import remixOptions from "./remix.config.js";
import { brandImages } from "./scripts/images/plugin";
import { precompress } from "./scripts/precompress";

const inPackages = (...names: string[]) => new RegExp(`/node_modules/(${names.join("|")})/`);

/**
 * A file for what every page loads, and one for what every screen of the back office does, instead of dozens: each answer
 * carries the guard's headers, near to 1 KB. Remix's changes are rarer than ours, so it has a file of its own.
 * So has what only some browsers are asked.
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
    // Vite's own part of every import().
    /vite\/preload-helper/,
    // What the landing page and its forms are made of.
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

/** The charts' packages with those they are made of: no runtime dependencies (tests/server/build.test.ts). */
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

function sharedFile(module: string): string | undefined {
  return Object.entries(sharedFiles).find(([, parts]) => parts.some((part) => part.test(module)))?.[0];
}

export default defineConfig(({ command, isSsrBuild }) => ({
  // Only what Vite hashes lives under /static/, so only that may be cached for ever; public/ keeps its own paths.
  base: command === "build" ? "/static/" : "/",
  plugins: [brandImages(), tailwindcss(), remix(remixOptions), precompress("build/client/assets")],
  resolve: { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } },
  // Icons and charts are built in, so that their packages are no runtime dependencies; the others are, because a server that
  // starts spent a third of its time on finding their hundreds of files. Development takes them as they are.
  ssr: { noExternal: command === "build" ? ["lucide-react", "kysely", "zod", "uuid", ...CHARTS] : [] },
  build: {
    target: "es2022",
    // remix-serve serves public/ itself; a copy would stand under /static/ as well, to be kept for ever.
    copyPublicDir: false,
    // The policy lets no font come from a data: URL, and a picture in a script is fetched by those who never see it.
    assetsInlineLimit: 0,
    // A twentieth smaller than esbuild makes it.
    minify: isSsrBuild ? false : "terser",
    reportCompressedSize: false,
    rollupOptions: { output: isSsrBuild ? {} : { manualChunks: sharedFile } },
  },
  // Development: know every package of the browser before the first page, or its second half gets another React.
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
    // An icon is a file of a few lines.
    exclude: ["lucide-react"],
  },
}));

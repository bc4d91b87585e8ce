/**
 * The one home of the Remix options. vite.config.ts imports it; nothing else repeats them.
 *
 * v3_lazyRouteDiscovery stays off: its /__manifest route can be made to block the event loop (docs/decisions/0001).
 * @type {import("@remix-run/dev").VitePluginConfig}
 */
export default {
  ignoredRouteFiles: ["**/*.test.*"],
  future: {
    v3_fetcherPersist: true,
    v3_relativeSplatPath: true,
    v3_throwAbortReason: true,
    v3_singleFetch: true,
    v3_lazyRouteDiscovery: false,
  },
};

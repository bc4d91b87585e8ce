# The Node of the optional dependencies node-* (package.json): one version everywhere.
ARG NODE=node:24.21.0-slim

FROM ${NODE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY patches ./patches
# No install script is needed: the native packages come compiled.
RUN npm ci --include=dev --ignore-scripts && node node_modules/patch-package/index.js --error-on-fail
COPY . .
RUN node node_modules/@remix-run/dev/dist/cli.js vite:build

FROM ${NODE}
ENV NODE_ENV=production PORT=3000 DATA_DIR=/data
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY scripts/slim-packages.mjs ./scripts/
RUN npm ci --omit=dev --ignore-scripts && node scripts/slim-packages.mjs && npm cache clean --force
# Patched in the first stage.
COPY --from=build /app/node_modules/@remix-run/router/dist/router.cjs.js ./node_modules/@remix-run/router/dist/
COPY --from=build /app/node_modules/@remix-run/serve/dist/cli.js ./node_modules/@remix-run/serve/dist/
COPY --from=build /app/build ./build
# Static files without a hash in their names: remix-serve reads them here.
COPY public ./public
# The guard, and the commands (docker exec -it ... node scripts/backup.ts), run from their sources: Node strips the types.
COPY server ./server
COPY scripts ./scripts
COPY app ./app
# Code belongs to root and is read-only to the server, which owns only its data.
RUN mkdir /data && chown node:node /data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "--import=./server/preload.mjs", "node_modules/@remix-run/serve/dist/cli.js", "build/server/index.js"]

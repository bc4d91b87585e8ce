# The Node of the optional dependencies node-* (package.json): one version everywhere.
ARG NODE=node:24.21.0-slim
# The client programs of a backup: not older than compose.yaml's server.
ARG POSTGRES=postgres:18-bookworm

FROM ${NODE} AS build
WORKDIR /app
# The packages are a layer of their own, which a change of the sources leaves as it is.
COPY package.json package-lock.json .npmrc ./
COPY scripts/prepare.mjs scripts/child-process.mjs ./scripts/
RUN node scripts/prepare.mjs --install
COPY . .
RUN node scripts/prepare.mjs
# Readable by the server's user, also when the clone is not.
RUN npm prune --omit=dev --ignore-scripts && node scripts/slim-packages.mjs && chmod -R a+rX .

FROM ${NODE} AS app
ENV NODE_ENV=production PORT=3000 DATA_DIR=/data
# npm run backup and the like (docker exec) write to no other folder.
ENV npm_config_cache=/tmp/.npm npm_config_update_notifier=false
WORKDIR /app
COPY --from=build /app/package.json /app/package-lock.json ./
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/build ./build
# Static files without a hash in their names: remix-serve reads them here.
COPY --from=build /app/public ./public
# The guard and the commands run from their sources: Node strips the types.
COPY --from=build /app/server ./server
COPY --from=build /app/scripts ./scripts
COPY --from=build /app/app ./app
# Code belongs to root and is read-only to the server, which owns only its data. The links make an empty DATA_DIR, as in
# .env.example, and the default folder of backups lead to the same places.
RUN mkdir /data /backups && chown node:node /data /backups && ln -s /data /backups ./
USER node
EXPOSE 3000
HEALTHCHECK --interval=10s --timeout=3s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT || 3000}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--max-semi-space-size=16", "--import=./server/preload.mjs", "node_modules/@remix-run/serve/dist/cli.js", "build/server/index.js"]

# For compose.yaml: the same commands beside PostgreSQL's client programs.
FROM ${POSTGRES} AS backup
ENV NODE_ENV=production DATA_DIR=/data HOME=/tmp npm_config_update_notifier=false
WORKDIR /app
# Node and npm.
COPY --from=app /usr/local /usr/local
COPY --from=app /app ./
RUN mkdir /data /backups && chown 1000:1000 /data /backups
USER 1000:1000
ENTRYPOINT []
CMD ["node", "scripts/backup.ts", "/backups"]

# The default is the application.
FROM app

# One image for every process: `node app/server.ts` (web), `node worker/index.ts` (worker), `node db/release.ts` (release), and
# the whole product with servers of its own, which is what it runs when it is told nothing else. All that it writes is in /data.
# The base has Node 24 and npm on Debian 12.
ARG NODE_IMAGE=node:24.21.0-bookworm-slim

FROM ${NODE_IMAGE} AS packages
WORKDIR /codeshelf
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund
COPY db/local/programs/package.json db/local/programs/package-lock.json db/local/programs/
RUN npm ci --prefix db/local/programs --no-audit --no-fund && rm -rf db/local/programs/node_modules/node-linux-*
COPY platform/install/slim-packages.ts platform/install/
RUN node platform/install/slim-packages.ts

FROM packages AS build
COPY tsconfig.json Procfile CHANGELOG.md ./
COPY public public
COPY domain domain
COPY platform platform
COPY db db
COPY worker worker
COPY app app
RUN node -e 'import("#db/local/build.ts").then((m) => m.ensureBuild({ root: process.cwd(), env: process.env, log: console.log }))'

FROM ${NODE_IMAGE}
RUN apt-get update \
    && apt-get install --yes --no-install-recommends bubblewrap ca-certificates git python3 \
    && rm -rf /var/lib/apt/lists/*
RUN groupadd --system --gid 10001 codeshelf \
    && useradd --system --uid 10001 --gid codeshelf --home-dir /data codeshelf \
    && install --directory --owner=codeshelf --group=codeshelf --mode=0700 /data
WORKDIR /codeshelf
COPY --from=build /codeshelf ./
ENV NODE_ENV=production DATA_DIR=/data PORT=3000
USER codeshelf
VOLUME /data
EXPOSE 3000
HEALTHCHECK --start-period=60s CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "db/local/launch.ts"]

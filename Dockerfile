# One image for all services; docker-compose.yml says which one a container runs.
ARG NODE=node:24.17.0-bookworm-slim

FROM ${NODE} AS build
WORKDIR /oja
COPY package.json package-lock.json .npmrc ./
COPY domain/package.json domain/
COPY contracts/package.json contracts/
COPY platform/package.json platform/
COPY http/package.json http/
COPY projector/package.json projector/
COPY command-service/package.json command-service/
COPY query-service/package.json query-service/
COPY demo/package.json demo/
COPY cli/package.json cli/
COPY web/package.json web/
RUN npm ci --no-audit --no-fund
COPY . .
RUN npm run build

# The packages needed to run, without those for builds and tests.
FROM ${NODE} AS packages
WORKDIR /oja
COPY --from=build /oja/package.json /oja/package-lock.json /oja/.npmrc ./
COPY domain/package.json domain/
COPY contracts/package.json contracts/
COPY platform/package.json platform/
COPY http/package.json http/
COPY projector/package.json projector/
COPY command-service/package.json command-service/
COPY query-service/package.json query-service/
COPY demo/package.json demo/
COPY cli/package.json cli/
COPY web/package.json web/
RUN npm ci --omit=dev --no-audit --no-fund --workspace=@oja/cli

FROM ${NODE}
ENV NODE_ENV=production
WORKDIR /oja
COPY --from=packages /oja ./
COPY --from=build /oja/domain/dist domain/dist
COPY --from=build /oja/contracts/dist contracts/dist
COPY --from=build /oja/platform/dist platform/dist
COPY --from=build /oja/http/dist http/dist
COPY --from=build /oja/projector/dist projector/dist
COPY --from=build /oja/command-service/dist command-service/dist
COPY --from=build /oja/query-service/dist query-service/dist
COPY --from=build /oja/cli/dist cli/dist
COPY --from=build /oja/cli/dist-program cli/dist-program
COPY --from=build /oja/cli/bin cli/bin
COPY --from=build /oja/demo/dist demo/dist
COPY --from=build /oja/demo/assets demo/assets
COPY --from=build /oja/web/dist web/dist
COPY --from=build /oja/web/dist-server web/dist-server
# A new volume starts as a copy of this folder, so it belongs to the user who writes there.
RUN mkdir /data && chown node:node /data
USER node
ENTRYPOINT ["node", "cli/bin/oja.js"]
CMD ["--help"]

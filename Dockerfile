# syntax=docker/dockerfile:1
# The emulator as an image: docker build -t voxctl-emulator . && docker run --rm -p 127.0.0.1:4010:4010 voxctl-emulator
FROM node:24-slim AS package
WORKDIR /source
COPY . .
# npm ci also builds the package.
RUN npm ci --no-audit --no-fund \
 && mkdir /packed \
 && npm pack --ignore-scripts --pack-destination /packed

FROM node:24-slim
COPY --from=package /packed /packed
# Node 24 includes SQLite, and a container has no keychain. With --global, npm ignores --omit=optional.
RUN npm install --prefix /opt/voxctl --omit=optional --no-audit --no-fund /packed/*.tgz \
 && ln -s /opt/voxctl/node_modules/.bin/voxctl /usr/local/bin/voxctl \
 && rm -rf /packed \
 && install --directory --owner=node --group=node /data
# The server does not run as root.
USER node
WORKDIR /data
ENV VOXCTL_CONFIG_DIR=/data/config \
    VOXCTL_DATA_DIR=/data \
    VOXCTL_KEYCHAIN=off
VOLUME /data
EXPOSE 4010
# This path needs no API key and counts for no limit. The server accepts the host name localhost on any interface.
HEALTHCHECK --interval=5s --timeout=3s --start-period=15s --retries=3 \
  CMD ["node", "-e", "fetch('http://localhost:4010/api/distributor/v1/health').then((response) => process.exit(response.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["voxctl", "emulator", "start", "--host", "0.0.0.0", "--port", "4010"]
# To allow other containers to connect by the container's name, add --allow-host NAME. To set an API key, add --key admin=VALUE.
CMD ["--db", "/data/emulator.db", "--seed", "demo"]

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, onTestFinished } from "vitest";
import { freePort } from "../helpers/ports.js";
import type { PostgresServer } from "./postgres.js";
import { findMissingPrograms, findProgram } from "./programs.js";

/**
 * Starts PgBouncer in transaction mode, with fewer connections than machines. Stops PgBouncer after the tests of
 * the file.
 */
export async function usePooler(postgres: PostgresServer): Promise<PostgresServer> {
  expect(findMissingPrograms("pgbouncer")).toBeUndefined();
  const folder = mkdtempSync(join(tmpdir(), "voxctl-pooler-"));
  chmodSync(folder, 0o755);
  const port = await freePort();
  const file = join(folder, "pgbouncer.ini");
  const settings = [
    "[databases]",
    `postgres = host=127.0.0.1 port=${postgres.port} dbname=postgres user=owner`,
    "[pgbouncer]",
    ...["listen_addr = 127.0.0.1", `listen_port = ${port}`, "unix_socket_dir =", "auth_type = any"],
    ...["pool_mode = transaction", "default_pool_size = 2"],
  ];
  writeFileSync(file, settings.join("\n"));
  // The pooler refuses to run as root.
  const prefix =
    process.getuid?.() === 0
      ? ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups", "--"]
      : [];
  const [program = "", ...parameters] = [...prefix, findProgram("pgbouncer") ?? "", file];
  const pooler = spawn(program, parameters, { stdio: "ignore" });
  afterAll(async () => {
    await end(pooler);
    rmSync(folder, { recursive: true, force: true });
  });
  await untilListening(port);
  return withPort(postgres, port);
}

/** Starts a proxy that delays every message to the database, and stops it after the test. */
export async function useSlowDatabase(
  postgres: PostgresServer,
  milliseconds: number,
): Promise<PostgresServer> {
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const database = connect(postgres.port, "127.0.0.1");
    for (const socket of [client, database]) {
      sockets.add(socket);
      socket.on("error", () => {});
    }
    client.on("data", (data) => setTimeout(() => database.write(data), milliseconds));
    database.on("data", (data) => client.write(data));
    client.on("close", () => database.destroy());
    database.on("close", () => client.destroy());
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return withPort(postgres, typeof address === "object" && address !== null ? address.port : 0);
}

function withPort(postgres: PostgresServer, port: number): PostgresServer {
  return {
    ...postgres,
    address: (schema, user) => postgres.address(schema, user).replace(`:${postgres.port}/`, `:${port}/`),
  };
}

async function untilListening(port: number): Promise<void> {
  for (let attempt = 0; ; attempt += 1) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return;
    } catch (error) {
      if (attempt === 100) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      socket.destroy();
    }
  }
}

async function end(process: ChildProcess): Promise<void> {
  if (process.exitCode !== null) return;
  process.kill("SIGTERM");
  await once(process, "exit");
}

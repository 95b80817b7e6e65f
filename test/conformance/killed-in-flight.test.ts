// Kills a process with creates in flight. Its journal contains every response that arrived before the kill.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { fileURLToPath } from "node:url";
import { expect, it, onTestFinished } from "vitest";
import { inheritedEnvironment } from "../helpers/environment.js";
import { parseOutput } from "./harness/bench.js";
import { runMain } from "./harness/in-process.js";
import { createSurroundings, furnish } from "./harness/surroundings.js";
import { listen } from "./server/http.js";
import { createService } from "./server/service.js";
import { behaviorOf } from "./server/switches.js";

const program = fileURLToPath(new URL("../../bin/voxctl.js", import.meta.url));
const confirmedCreates = 5;
const heldCreates = 10;
/** A journal with delayed writes would contain no response by then. */
const killMilliseconds = 400;

it("[T2] a run that was killed with ten creates in flight keeps the earlier responses", async () => {
  const service = createService({
    behavior: behaviorOf([]),
    now: () => Date.now(),
    sleep: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
    lagMilliseconds: 0,
    speed: 10,
  });
  furnish(service);
  const behind = await listen(service);
  onTestFinished(behind.close);
  const door = await holding(behind.origin);
  onTestFinished(door.close);
  const surroundings = createSurroundings(door.origin, []);
  onTestFinished(surroundings.remove);
  const rows = Array.from({ length: 40 }, (_, row) => ({
    first_name: `Person ${row}`,
    phone: `+4930${1_000_000 + row}`,
  }));
  const file = surroundings.write(
    "many.csv",
    `first_name,phone\n${rows.map((row) => `${row.first_name},${row.phone}\n`).join("")}`,
  );
  const argv = ["contacts", "import", file, "--group", "Team", "--settle", "100ms", "-o", "json"];

  const child = spawn(process.execPath, [program, ...argv], {
    env: { ...inheritedEnvironment(), ...surroundings.environment },
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  await door.full;
  setTimeout(() => child.kill("SIGKILL"), killMilliseconds);
  const [, signal] = await ended;
  assert.equal(signal, "SIGKILL");
  const created = service.state.rows("contacts").length;

  const [run] = parseOutput(await runMain(["runs", "list", "-o", "json"], surroundings));
  expect(run).toMatchObject({ state: "unfinished", done: confirmedCreates });
  door.open();
  const ran = await runMain(argv, surroundings);
  expect(ran.code, ran.stderr).toBe(0);
  expect(parseOutput(ran)).toMatchObject({ created: rows.length });
  expect(service.state.rows("contacts").length).toBe(created - confirmedCreates + rows.length);
});

/**
 * Starts a proxy that forwards the first creates, and delays later creates until the test opens the proxy.
 */
async function holding(origin: string) {
  let [passed, held] = [0, 0];
  let isOpen = false;
  const full = new EventEmitter();
  const server = createServer((incoming, outgoing) => {
    const isCreate = incoming.method === "POST" && !isOpen;
    if (isCreate && passed >= confirmedCreates) {
      held += 1;
      if (held === heldCreates) full.emit("full");
      return;
    }
    if (isCreate) passed += 1;
    forward(origin, incoming, outgoing);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    full: once(full, "full"),
    open() {
      isOpen = true;
    },
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function forward(origin: string, incoming: IncomingMessage, outgoing: ServerResponse): void {
  const { method, url, headers } = incoming;
  const onward = request(new URL(url ?? "/", origin), { method: method ?? "GET", headers }, (response) => {
    outgoing.writeHead(response.statusCode ?? 500, response.headers);
    response.pipe(outgoing);
  });
  onward.on("error", () => outgoing.destroy());
  incoming.pipe(onward);
}

// T16: no command hangs, whatever it is asked by: a sample here, every command that reads with PROOF=1.
import { createServer } from "node:net";
import { describe, expect, test } from "vitest";
import { commandLine, type TestIo } from "../helpers/cli.js";
import { listen, speak } from "./network.js";

const id = "65f1a0b2c3d4e5f601234568";

/** Peers that never come to an end. */
const peers = {
  "says nothing": () => listen(createServer((socket) => void socket.on("error", () => {}).resume())),
  "answers 1xx for ever": () =>
    speak((socket) => {
      const more = setInterval(() => socket.write("HTTP/1.1 102 Processing\r\n\r\n"), 20);
      socket.on("close", () => clearInterval(more));
    }),
  "sends a byte now and then": () =>
    speak((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 9999\r\n\r\n");
      const more = setInterval(() => socket.write(" "), 20);
      socket.on("close", () => clearInterval(more));
    }),
};
type Peer = keyof typeof peers;

const commands: readonly (readonly string[])[] = [
  ["ping"],
  ["contacts", "list", "--all"],
  ["contacts", "get", id],
  ["api", "GET", "/anything"],
  ["contacts", "create", "--data", JSON.stringify({ group_id: id, first_name: "A" })],
  ["calls", "wait", id, "--for", "1s"],
  ["knowledge", "wait", "--for", "1s"],
  ["calls", "recording", "download", id, "--output", "x"],
  ["doctor"],
];
const sample = process.env["PROOF"] === undefined ? commands.slice(0, 1) : commands;

async function against(peer: Peer) {
  const port = await peers[peer]();
  const env = { VOXCTL_BASE_URL: `http://127.0.0.1:${port}/api/v1`, VOXCTL_API_KEY: "k" };
  return commandLine({ env });
}

const secondsSince = (begun: bigint) => Number(process.hrtime.bigint() - begun) / 1e9;

describe.each(Object.keys(peers) as Peer[])("[T16] a peer that %s", (peer) => {
  test.each(sample.map((argv) => [argv.slice(0, 3).join(" "), argv] as const))(
    "keeps %s no longer than its time-outs",
    async (_, argv) => {
      const { run } = await against(peer);
      const begun = process.hrtime.bigint();
      const { code } = await run(...argv, "--timeout", "200ms");
      expect([9, 75]).toContain(code);
      // Four attempts and the pauses between them take 4 s; the machine may be busy.
      expect(secondsSince(begun)).toBeLessThan(20);
    },
    40_000,
  );

  test("keeps no command from ending by Ctrl-C within a second", async () => {
    const { runWith } = await against(peer);
    let pressed = 0n;
    const before = (io: TestIo) => {
      setTimeout(() => {
        pressed = process.hrtime.bigint();
        io.signal("SIGINT");
      }, 700);
    };
    const { code } = await runWith({ before }, "contacts", "list", "--timeout", "60s");
    expect(code).toBe(130);
    expect(secondsSince(pressed)).toBeLessThan(1);
  });
});

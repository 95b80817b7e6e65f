import { execFileSync } from "node:child_process";
import { constants, openSync, readFileSync, readSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { createDirectOutput } from "../../src/base/direct-output.js";
import { temporaryFolder } from "../helpers/cli.js";

const onLinux = process.platform === "linux";

function never(): never {
  throw new Error("the stream was opened");
}

function pipe(): number {
  const path = join(temporaryFolder(), "pipe");
  execFileSync("mkfifo", [path]);
  return openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
}

function taken(fd: number): string {
  const bytes = Buffer.alloc(1 << 20);
  return bytes.toString("utf8", 0, readSync(fd, bytes));
}

test("direct output appends to a file immediately, without opening a stream", () => {
  const path = join(temporaryFolder(), "out.txt");
  writeFileSync(path, "before\n");
  const output = createDirectOutput(openSync(path, "a"), never);
  const done: unknown[] = [];
  output.write("Grüße\n", (error) => done.push(error));
  output.write(new Uint8Array([0x61, 0x0a]), (error) => done.push(error));
  expect(readFileSync(path, "utf8")).toBe("before\nGrüße\na\n");
  expect(done).toEqual([undefined, undefined]);
});

// On other systems, only the stream writes to a pipe.
test.runIf(onLinux)("if the pipe is full, direct output passes the remaining data to the stream", () => {
  const fd = pipe();
  const stream = new PassThrough({ highWaterMark: 1 << 20 });
  const output = createDirectOutput(fd, () => stream);
  output.write("first\n");
  expect(taken(fd)).toBe("first\n");
  const long = "0123456789abcdef".repeat(8192);
  output.write(long);
  const atOnce = taken(fd);
  expect(atOnce.length).toBeGreaterThan(0);
  // The pipe has space again, but earlier data is still pending.
  output.write("last\n");
  expect(`${atOnce}${stream.read()}`).toBe(`${long}last\n`);
});

// On other systems, only the stream writes to a pipe.
test.runIf(onLinux)("failure listeners also receive failures of the stream", () => {
  const stream = new PassThrough();
  const output = createDirectOutput(pipe(), () => stream);
  const heard: unknown[] = [];
  const listener = (error: Error) => heard.push(error.message);
  output.on("error", listener);
  output.write("0".repeat(1 << 20));
  output.on("error", listener);
  stream.emit("error", new Error("write EPIPE"));
  expect(heard).toEqual(["write EPIPE", "write EPIPE"]);
});

// On other systems, the devices have other names.
test.runIf(onLinux)("direct output uses a stream for devices other than the null device", () => {
  const stream = new PassThrough();
  expect(createDirectOutput(openSync("/dev/zero", "w"), () => stream)).toBe(stream);
  expect(createDirectOutput(openSync("/dev/null", "w"), never).isTTY).toBe(false);
});

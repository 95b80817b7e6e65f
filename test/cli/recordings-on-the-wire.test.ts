import { readFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { serve } from "../client/network.js";
import { commandLine } from "../helpers/cli.js";

const id = "65f1a0b2c3d4e5f601234568";
const audio = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7) % 251));

/** A service with one recording, sent as the test says. */
async function service(send: (request: IncomingMessage, answer: ServerResponse, start: number) => void) {
  const ranges: (string | undefined)[] = [];
  const port = await serve((request, answer) => {
    ranges.push(request.headers.range);
    answer.setHeader("content-type", "audio/flac");
    answer.setHeader("etag", '"one"');
    send(request, answer, Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0));
  });
  const env = { VOXCTL_BASE_URL: `http://127.0.0.1:${port}/api/v1`, VOXCTL_API_KEY: "k" };
  const shell = commandLine({ env });
  const download = (...flags: string[]) =>
    shell.run("calls", "recording", "download", id, "--output", "x.flac", ...flags);
  return { download, ranges, saved: (name = "x.flac") => readFileSync(join(shell.home, name)) };
}

function cutAfter(answer: ServerResponse, length: number): void {
  answer.writeHead(200, { "content-length": audio.length });
  answer.write(audio.subarray(0, length), () => answer.destroy());
}

describe("a recording", () => {
  test("[T19] in ranges of 8 kB at most goes on as long as each brings something", async () => {
    const { download, saved, ranges } = await service((request, answer, start) => {
      if (request.headers.range === undefined) return cutAfter(answer, 4_000);
      const end = Math.min(audio.length, start + 8_000);
      answer.writeHead(206, { "content-range": `bytes ${start}-${end - 1}/${audio.length}` });
      answer.end(audio.subarray(start, end));
    });
    expect((await download()).code).toBe(0);
    expect(saved().equals(audio)).toBe(true);
    expect(ranges.length).toBeGreaterThan(12);
  });

  test("[T16] a recording that comes encoded is saved as it is, and begun anew where it was cut", async () => {
    const zipped = gzipSync(audio);
    let asked = 0;
    const { download, saved } = await service((_, answer) => {
      asked += 1;
      answer.writeHead(200, { "content-encoding": "gzip", "content-length": zipped.length });
      if (asked > 1) answer.end(zipped);
      else answer.write(zipped.subarray(0, zipped.length / 2), () => answer.destroy());
    });
    expect((await download()).code).toBe(0);
    expect(saved().equals(audio)).toBe(true);
  });

  test("whose range begins elsewhere than was asked is put where it belongs", async () => {
    const { download, saved } = await service((request, answer, start) => {
      if (request.headers.range === undefined) return cutAfter(answer, 50_000);
      const from = start - (start % 1_024);
      answer.writeHead(206, { "content-range": `bytes ${from}-${audio.length - 1}/${audio.length}` });
      answer.end(audio.subarray(from));
    });
    expect((await download()).code).toBe(0);
    expect(saved().equals(audio)).toBe(true);
  });

  test("[T16] of a byte now and then ends after four times --timeout, and what came is kept", async () => {
    const { download, saved } = await service((_, answer, start) => {
      const status = start > 0 ? 206 : 200;
      answer.writeHead(status, { "content-range": `bytes ${start}-${audio.length - 1}/${audio.length}` });
      let at = start;
      const more = setInterval(() => {
        answer.write(audio.subarray(at, at + 1));
        at += 1;
      }, 10);
      answer.on("close", () => clearInterval(more));
    });
    const begun = process.hrtime.bigint();
    const { code } = await download("--timeout", "300ms");
    expect(code).toBe(9);
    expect(Number(process.hrtime.bigint() - begun) / 1e9).toBeLessThan(10);
    expect(saved("x.flac.part").length).toBeGreaterThan(0);
  });
});

import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test, vi } from "vitest";
import { serve } from "../client/network.js";
import { commandLine, type TestIo } from "../helpers/cli.js";

const id = "65f1a0b2c3d4e5f601234568";
const audio = Buffer.from(Array.from({ length: 100_000 }, (_, at) => (at * 7) % 251));

/** Serves a recording. `send` writes the response, and `start` is the first requested byte. */
async function service(send: (request: IncomingMessage, response: ServerResponse, start: number) => unknown) {
  const ranges: (string | undefined)[] = [];
  const port = await serve((request, response) => {
    ranges.push(request.headers.range);
    response.setHeader("content-type", "audio/flac");
    response.setHeader("etag", '"one"');
    send(request, response, Number(/bytes=(\d+)-/.exec(request.headers.range ?? "")?.[1] ?? 0));
  });
  const env = { VOXCTL_BASE_URL: `http://127.0.0.1:${port}/api/v1`, VOXCTL_API_KEY: "k" };
  const shell = commandLine({ env });
  const download = (...flags: string[]) =>
    shell.run("calls", "recording", "download", id, "--out", "x.flac", ...flags);
  return { ...shell, download, ranges, saved: (name = "x.flac") => readFileSync(join(shell.home, name)) };
}

function cutAfter(response: ServerResponse, length: number): void {
  response.writeHead(200, { "content-length": audio.length });
  response.write(audio.subarray(0, length), () => response.destroy());
}

describe("downloading a recording", () => {
  test("the URL of a recording contains the escaped ID of the call", async () => {
    const paths: (string | undefined)[] = [];
    const { run } = await service(({ url }, response) => {
      paths.push(url);
      if (url?.includes("/recording")) return response.end(audio);
      const call = { id: "a{b}?c", created_at: "2026-03-02T09:00:00.000Z", recording: { available: true } };
      response.setHeader("content-type", "application/json");
      return response.end(JSON.stringify({ data: [call], pagination: { next_cursor: null } }));
    });
    const period = ["--from", "2026-03-01", "--to", "2026-03-03"];
    const { code } = await run("calls", "recording", "download", ...period, "--out", "rec");
    expect(code).toBe(0);
    expect(paths).toContain("/api/v1/calls/a%7Bb%7D%3Fc/recording");
  });

  test("[T19] a download resumes even if the service sends at most 8,000 bytes per range", async () => {
    const { download, saved, ranges } = await service((request, response, start) => {
      if (request.headers.range === undefined) return cutAfter(response, 4_000);
      const end = Math.min(audio.length, start + 8_000);
      response.writeHead(206, { "content-range": `bytes ${start}-${end - 1}/${audio.length}` });
      response.end(audio.subarray(start, end));
    });
    expect((await download()).code).toBe(0);
    expect(saved().equals(audio)).toBe(true);
    expect(ranges.length).toBeGreaterThan(12);
  });

  test("[T16] a download decodes an encoded response", async () => {
    const zipped = gzipSync(audio);
    let requestCount = 0;
    const { download, saved } = await service((_, response) => {
      requestCount += 1;
      response.writeHead(200, { "content-encoding": "gzip", "content-length": zipped.length });
      if (requestCount > 1) response.end(zipped);
      else response.write(zipped.subarray(0, zipped.length / 2), () => response.destroy());
    });
    expect((await download()).code).toBe(0);
    expect(saved().equals(audio)).toBe(true);
  });

  test("a download starts again if the recording was replaced while it was read", async () => {
    const other = Buffer.from(audio.map((byte) => byte ^ 1));
    const { download, saved, ranges, home } = await service((_, response, start) => {
      const isFirst = ranges.length === 1;
      response.setHeader("etag", isFirst ? 'W/"one"' : 'W/"two"');
      const end = isFirst ? start + 8_000 : audio.length;
      const range = { "content-range": `bytes ${start}-${end - 1}/${audio.length}` };
      response.writeHead(start > 0 ? 206 : 200, start > 0 ? range : {});
      response.end((isFirst ? audio : other).subarray(start, end));
    });
    writeFileSync(join(home, "x.flac.part"), audio.subarray(0, 50_000));
    expect((await download()).code).toBe(0);
    expect(saved().equals(other)).toBe(true);
  });

  test("if a range starts too early, its bytes are written at their actual position", async () => {
    const { download, saved } = await service((request, response, start) => {
      if (request.headers.range === undefined) return cutAfter(response, 50_000);
      const from = start - (start % 1_024);
      response.writeHead(206, { "content-range": `bytes ${from}-${audio.length - 1}/${audio.length}` });
      response.end(audio.subarray(from));
    });
    expect((await download()).code).toBe(0);
    expect(saved().equals(audio)).toBe(true);
  });

  test.each([[[]], [["--force"]]])(
    "[T16] a download that gets no first byte is repeated once, then fails: %j",
    async (flags) => {
      let cuts = 2;
      const { download, saved, home } = await service((_, response, start) => {
        cuts -= 1;
        const status = start > 0 ? 206 : 200;
        const range = { "content-range": `bytes ${start}-${audio.length - 1}/${audio.length}` };
        response.writeHead(status, { ...(start > 0 ? range : {}), "content-length": audio.length - start });
        if (cuts < 0) return response.end(audio.subarray(start));
        response.flushHeaders();
        setImmediate(() => response.destroy());
      });
      writeFileSync(join(home, "x.flac.part"), audio.subarray(0, 1_000));
      const ran = await download(...flags);
      expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining("defect")]);
      expect(saved().equals(audio)).toBe(true);
      cuts = 99;
      rmSync(join(home, "x.flac"));
      writeFileSync(join(home, "x.flac.part"), audio.subarray(0, 1_000));
      const cut = await download(...flags);
      expect([cut.code, cut.stderr]).toEqual([9, expect.stringContaining("the connection was lost")]);
      if (flags[0] !== "--force") expect(saved("x.flac.part").length).toBe(1_000);
    },
  );

  test.each(['{"data": <not JSON', "<html><body>Bad gateway</body></html>"])(
    "a download reports the error body %s and does not save it as a recording",
    async (text) => {
      let isBroken = true;
      const { download, saved, home } = await service((_, response) => response.end(isBroken ? text : audio));
      const broken = await download();
      expect([broken.code, broken.stderr]).toEqual([
        9,
        expect.stringContaining("contains text that starts with"),
      ]);
      expect(readdirSync(home).filter((name) => name.startsWith("x.flac"))).toEqual([]);
      isBroken = false;
      expect((await download()).code).toBe(0);
      expect(saved().equals(audio)).toBe(true);
    },
  );

  test("[T16] a stalled download ends after four times --timeout and keeps the partial file", async () => {
    const { download, saved } = await service((_, response, start) => {
      const status = start > 0 ? 206 : 200;
      response.writeHead(status, { "content-range": `bytes ${start}-${audio.length - 1}/${audio.length}` });
      let at = start;
      const more = setInterval(() => {
        response.write(audio.subarray(at, at + 1));
        at += 1;
      }, 10);
      response.on("close", () => clearInterval(more));
    });
    const begun = process.hrtime.bigint();
    const { code } = await download("--timeout", "300ms");
    expect(code).toBe(9);
    expect(Number(process.hrtime.bigint() - begun) / 1e9).toBeLessThan(10);
    expect(saved("x.flac.part").length).toBeGreaterThan(0);
  });
});

describe("two concurrent downloads of one recording", () => {
  /** Runs two downloads. The first gets its second half only when the second waits or sends a request. */
  async function two(...argv: string[]) {
    let goOn = () => {};
    let hasBegun = false;
    let isBegun = () => {};
    const begun = new Promise<void>((resolve) => {
      isBegun = resolve;
    });
    const call = {
      id,
      created_at: new Date().toISOString(),
      recording: { available: true, content_type: "audio/flac" },
    };
    const { runWith, home } = await service((request, response, start) => {
      if (!request.url?.includes("/recording")) {
        response.setHeader("content-type", "application/json");
        return response.end(JSON.stringify({ data: [call], meta: { has_more: false, next_cursor: null } }));
      }
      if (start > 0)
        response.writeHead(206, { "content-range": `bytes ${start}-${audio.length - 1}/${audio.length}` });
      goOn();
      goOn = () => response.end(audio.subarray(start + 10));
      response.write(audio.subarray(start, start + 10));
      if (hasBegun) return goOn();
      hasBegun = true;
      isBegun();
    });
    const first = runWith({}, "calls", "recording", "download", ...argv);
    await Promise.race([begun, first]);
    const before = ({ stderr }: TestIo) =>
      stderr.on("data", (text) => String(text).includes("waiting") && goOn());
    const second = runWith({ before }, "calls", "recording", "download", ...argv);
    return { first: await first, second: await second, home };
  }

  test("a second download of the same recording waits for the first", async () => {
    const { first, second, home } = await two(id, "--out", "x.flac");
    expect([first.code, second.code], first.stderr + second.stderr).toEqual([0, 12]);
    expect(second.stderr).toContain("another voxctl process that is downloading x.flac");
    expect(readFileSync(join(home, "x.flac")).equals(audio)).toBe(true);
  });

  test("a second download of the same period reports the existing files", async () => {
    const { first, second, home } = await two("--from", "1d", "--out", "rec", "--name", "{id}");
    expect([first.code, second.code], first.stderr + second.stderr).toEqual([0, 0]);
    expect(first.json).toMatchObject([{ id, outcome: "downloaded" }]);
    expect(second.json).toMatchObject([{ id, outcome: "existing" }]);
    expect(readdirSync(join(home, "rec"))).toEqual([`${id}.flac`]);
    expect(readFileSync(join(home, "rec", `${id}.flac`)).equals(audio)).toBe(true);
  });

  test("a download exits with code 6 if another program deletes the partial file", async () => {
    const { download, home } = await service(async (_, response) => {
      response.write(audio.subarray(0, 10));
      await vi.waitFor(() => rmSync(join(home, "x.flac.part")));
      writeFileSync(join(home, "x.flac.part"), "half");
      response.end(audio.subarray(10));
    });
    const refused = await download();
    expect([refused.code, refused.stderr], refused.stderr).toEqual([
      6,
      expect.stringContaining("another program removed"),
    ]);
    expect(readdirSync(home)).toContain("x.flac.part");
    expect(readdirSync(home)).not.toContain("x.flac");
  });
});

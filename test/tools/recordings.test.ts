import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it as test } from "vitest";
import { type Emulator, openEmulator } from "../../src/emulator/index.js";
import { publicApi } from "../helpers/public-api.js";
import { findMissingPrograms } from "./programs.js";

const it = test.skipIf(findMissingPrograms("flac", "soxi", "mpg123", "file") !== undefined);

const folder = mkdtempSync(join(tmpdir(), "recordings-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function run(program: string, ...parameters: string[]): string {
  const { status, stdout, stderr, error } = spawnSync(program, parameters, { encoding: "utf8" });
  if (error) throw new Error(`${program} does not start; is it installed?`, { cause: error });
  expect(status, `${program} ${parameters.join(" ")}: ${stderr}`).toBe(0);
  return `${stdout}${stderr}`.trim();
}

async function ask(emulator: Emulator, path: string): Promise<Response> {
  const headers = { authorization: `Bearer ${emulator.startLine.keys.admin}` };
  return emulator.fetch(new Request(`http://emulator.localhost/api/v1${path}`, { headers }));
}

async function recordingFile(format: string, seconds: number): Promise<string> {
  await using emulator = await openEmulator({ seed: "demo" });
  const { data: assistants } = (await publicApi(emulator)("GET", "/assistants")).body;
  const call = await emulator.control("POST", "/calls", {
    assistant_id: assistants[0].id,
    duration_seconds: seconds,
    recording: format,
  });
  const id = typeof call === "object" && call !== null && "id" in call ? call.id : "";
  const download = await ask(emulator, `/calls/${id}/recording`);
  const path = join(folder, `${format}-${seconds}.${format === "mpeg" ? "mp3" : format}`);
  writeFileSync(path, new Uint8Array(await download.arrayBuffer()));
  return path;
}

const lengths = [1, 8, 61, 1_800];

it.each(lengths)("flac accepts a FLAC recording of %i s with its checksums and its MD5", async (seconds) => {
  const path = await recordingFile("flac", seconds);
  run("flac", "--test", "--warnings-as-errors", "--silent", path);
  expect(run("soxi", "-V1", "-D", path)).toBe(`${seconds}.000000`);
  expect(run("file", "--brief", path)).toBe(
    `FLAC audio bitstream data, 16 bit, mono, ${seconds * 8_000} samples`,
  );
});

it.each(lengths)("sox accepts a WAV recording of %i s", async (seconds) => {
  const path = await recordingFile("wav", seconds);
  expect(run("soxi", "-V1", "-D", path)).toBe(`${seconds}.000000`);
  expect(run("file", "--brief", path)).toContain("WAVE audio, Microsoft PCM, 16 bit, mono 8000 Hz");
  run("sox", path, "-n", "stat");
});

it.each(lengths)(
  "mpg123 decodes an MPEG recording of %i s with the exact number of samples",
  async (seconds) => {
    const path = await recordingFile("mpeg", seconds);
    const decoded = `${path}.wav`;
    run("mpg123", "--quiet", "--wav", decoded, path);
    expect(run("soxi", "-V1", "-s", decoded)).toBe(String(seconds * 16_000));
    expect(run("file", "--brief", path)).toContain("MPEG ADTS, layer III, v2");
  },
);

it.each(["flac", "wav", "mpeg"])("a recording as %s is audible and not too loud", async (format) => {
  const path = await recordingFile(format, 16);
  const peak = Number(/Maximum amplitude: +([\d.]+)/.exec(run("sox", path, "-n", "stat"))?.[1]);
  expect(peak).toBeGreaterThan(0.1);
  expect(peak).toBeLessThan(0.9);
});

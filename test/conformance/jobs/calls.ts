import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { type Bench, parseOutput } from "../harness/bench.js";
import { recordingOf } from "../server/calls.js";
import { longAgo } from "../server/service-state.js";
import { counted } from "../server/statistics.js";
import type { Job } from "./job.js";

export const trigger: Job = {
  about: "`calls trigger --wait`",
  async run(bench) {
    const flags = [
      "--to",
      "+4915112345678",
      "--assistant",
      "Empfang",
      "--details",
      "Termin",
      "--wait",
      "-o",
      "json",
    ];
    const ran = await bench.run("calls", "trigger", ...flags);
    assert.equal(ran.code, 0, ran.stderr);
    const [call, ...otherCalls] = bench.service.state.rows("calls");
    assert.ok(call && otherCalls.length === 0, "one call was made");
    assert.equal(parseOutput(ran).id, call.id);
  },
};

function overCall({ service }: Bench) {
  return service.state.insert(
    "calls",
    { assistant_id: service.state.rows("assistants")[0]?.id, over: true },
    "somebody",
    longAgo,
  );
}

export const recording: Job = {
  about: "`calls recording download`, resumed after the connection was closed",
  async run(bench) {
    const call = overCall(bench);
    const file = bench.path("call.audio");
    const command = ["calls", "recording", "download", call.id, "--out", file];
    let ran = await bench.run(...command);
    for (let tries = 0; ran.code === 9 && tries < 3; tries += 1) ran = await bench.run(...command);
    assert.equal(ran.code, 0, ran.stderr);
    assert.ok(readFileSync(file).equals(recordingOf(call.id)), "the file has every byte");
  },
};

export const statistics: Job = {
  about: "`stats summary` and `stats usage`, as JSON and as tables",
  async run(bench) {
    const summary = await bench.run("stats", "summary", "-o", "json");
    assert.equal(summary.code, 0, summary.stderr);
    assert.ok(summary.stdout.includes("Empfang"));
    const usage = await bench.run("stats", "usage", "--week", "2026-W10", "-o", "json");
    assert.equal(usage.code, 0, usage.stderr);
    assert.ok(usage.stdout.includes(String(counted.seconds)));
    const table = await bench.run("stats", "usage", "--week", "2026-W10", "-o", "table");
    assert.equal(table.code, 0, table.stderr);
    assert.ok(new RegExp(`\\b${counted.calls}\\b`).test(table.stdout), table.stdout);
    // A response with a different shape must not be shown as a count of zero (T10).
    if (bench.switches.includes("statistics with other names"))
      assert.ok(!/\b0 calls|\b0 s\b|0:00/.test(table.stdout), table.stdout);
    const list = await bench.run("stats", "summary", "-o", "table");
    assert.equal(list.code, 0, list.stderr);
    assert.ok(list.stdout.includes("Empfang"), list.stdout);
  },
};

export const suite: Job = {
  about: "`calls test` with a suite of two calls",
  async run(bench) {
    const file = bench.write(
      "suite.yaml",
      [
        "scenarios:",
        "  - {name: one, assistant: Empfang, to: '+4915112345678', details: Termin am Freitag, expect: {transcript: {contains: [Freitag]}}}",
        "  - {name: two, assistant: Termine, to: '+4915112345679', details: Termin am Montag, expect: {transcript: {contains: [Montag]}}}",
        "",
      ].join("\n"),
    );
    const ran = await bench.run("calls", "test", file, "--yes", "-o", "json");
    assert.equal(ran.code, 0, ran.stderr + ran.stdout);
    assert.equal(bench.service.state.rows("calls").length, 2, "two calls were made");
  },
};

// Measures a server at half of its capacity for a minute; BENCH_SOAK=600 sets ten minutes. Compares the
// server's memory with the memory of the smallest program at the same rate. With 200 connections, compares
// the 99th percentile of the latency with the median.
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { load } from "./load.mjs";
import { interleaved, row } from "./measure.mjs";
import { startEmulator, startSmallest } from "./servers.mjs";

const soakSeconds = Number(process.env.BENCH_SOAK ?? 60);

async function benchSoak() {
  if (process.platform !== "linux") return [row("resident memory", { value: "– (read from /proc)" })];
  const folder = mkdtempSync(join(tmpdir(), "voxctl-bench-"));
  const server = await startEmulator(folder, [
    ...["--db", join(folder, "world.db"), "--seed", "empty"],
    ...["--limits", "read=1000000000,write=1000000000"],
  ]);
  const smallest = await startSmallest(join(folder, "smallest.db"));
  try {
    const { url, pid, start } = server;
    const key = start.keys.admin;
    const headers = { authorization: `Bearer ${key}` };
    const groups = await (await fetch(`${url}/api/v1/groups?type=contacts`, { headers })).json();
    const next = await mixOf(url, "/api/v1/contacts", key, groups.data[0].id);
    const { perSecond } = await load({ url, seconds: 2, next });
    const half = { url, next, perSecond: perSecond / 2 };
    const besides = {
      url: smallest.url,
      next: await mixOf(smallest.url, "/contacts", "smallest", "a".repeat(24)),
      perSecond: perSecond / 2,
    };

    const resident = [];
    const residentBesides = [];
    const sample = setInterval(() => {
      resident.push(residentMegabytes(pid));
      residentBesides.push(residentMegabytes(smallest.pid));
    }, 500);
    let noisy = false;
    for (let second = 0; second < soakSeconds; second += 10) {
      const { noisy: busy } = await interleaved(1, {
        load: async () => {
          const seconds = Math.min(10, soakSeconds - second);
          const loads = [half, besides].map((one) => load({ ...one, seconds }));
          return (await Promise.all(loads))[0].perSecond;
        },
      });
      noisy ||= busy;
    }
    clearInterval(sample);
    const middle = Math.floor(resident.length / 2);
    const most = (values) => Math.max(...values);
    const growth = most(resident.slice(middle)) / most(resident.slice(0, middle));

    const { results, noisy: isTailNoisy } = await interleaved(7, {
      emulator: () => tailOf(half),
      smallest: () => tailOf(besides),
    });
    const medianTail = (tails) => tails.sort((a, b) => a - b)[3].toFixed(1);
    return [
      row(`resident memory, ${soakSeconds} s at half load`, {
        wanted: "≤ 130 MB",
        value: `${most(resident).toFixed(0)} MB`,
        noisy,
      }),
      row(`resident memory, ${soakSeconds} s at the same rate, the smallest program`, {
        value: `${most(residentBesides).toFixed(0)} MB`,
        noisy,
      }),
      row("resident memory, second half of the run over the first", {
        wanted: "flat",
        value: growth.toFixed(2),
        noisy,
      }),
      row("p99 over p50 at half load, 200 connections", {
        wanted: "≤ 12.5",
        value: medianTail(results.emulator),
        noisy: isTailNoisy,
      }),
      row("p99 over p50 at half load, 200 connections, the smallest program", {
        value: medianTail(results.smallest),
        noisy: isTailNoisy,
      }),
    ];
  } finally {
    await server.stop();
    await smallest.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Returns the ratio of the 99th percentile to the median. */
async function tailOf(place) {
  const { latencies } = await load({ ...place, seconds: 1.5, connections: 200 });
  const sorted = latencies.sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length * 0.99)] / sorted[Math.floor(sorted.length / 2)];
}

/** Creates 500 contacts. Returns requests of all types for them. */
async function mixOf(url, path, key, group) {
  const headers = { authorization: `Bearer ${key}`, "content-type": "application/json" };
  const body = JSON.stringify({ group_id: group, first_name: "Anna", last_name: "Sommer" });
  let id = "";
  for (let index = 0; index < 500; index += 1)
    id = (await (await fetch(url + path, { method: "POST", headers, body })).json()).data.id;
  const kinds = [
    { method: "GET", path: `${path}/${id}`, key },
    { method: "GET", path: `${path}?limit=100`, key },
    { method: "POST", path, key, body },
    { method: "PATCH", path: `${path}/${id}`, key, body: '{"last_name":"Winter"}' },
  ];
  return (count) => kinds[[0, 0, 1, 0, 2, 0, 0, 3, 0, 1][count % 10]];
}

function residentMegabytes(pid) {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) / 1024;
}

console.log(JSON.stringify(await benchSoak()));

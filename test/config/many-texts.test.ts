import { expect, onTestFinished, test } from "vitest";
import { setUpFolder } from "../helpers/config.js";
import { readLog } from "../helpers/log.js";
import { publicApi } from "../helpers/public-api.js";
import { openSeededEmulator } from "../helpers/templates.js";

const isProof = process.env["PROOF"] !== undefined;
const count = isProof ? 2_000 : 24;
const perPage = 200;

test(`[C2] a plan for ${count} texts reads only the changed texts`, async () => {
  const emulator = await openSeededEmulator({
    seed: "empty",
    clock: "virtual",
    startTime: "2026-03-02T09:00:00.000Z",
  });
  onTestFinished(() => emulator.close());
  const api = publicApi(emulator);
  const group = (await api("POST", "/groups", { type: "knowledges", name: "Preise" })).body
    .data as unknown as {
    id: string;
  };
  const ids: string[] = [];
  for (let number = 0; number < count; number += 1) {
    // Advance the emulator's time to stay within the write limit.
    if (number % 50 === 0) await emulator.control("PATCH", "/clock", { advance_seconds: 60 });
    const made = await api("POST", "/knowledge-items", {
      group_id: group.id,
      name: `Text ${number}`,
      text: `Nummer ${number} kostet ${number} EUR.\n`.repeat(20),
    });
    ids.push((made.body.data as unknown as { id: string }).id);
  }
  await emulator.control("PATCH", "/clock", { advance_seconds: 7_200 });
  const { runWith, root, config, read, write, lock } = setUpFolder(emulator, {});
  const init = ["config", "init", "--target", "dev", "--profile", "offline"];
  const made = await runWith({ cwd: root }, ...init);
  expect([
    made.code,
    Object.keys(lock()).filter((key) => key.startsWith("knowledge/preise/")).length,
  ]).toEqual([0, count]);
  const planned = async (...more: string[]) => {
    await emulator.control("PATCH", "/clock", { advance_seconds: 600 });
    await emulator.control("DELETE", "/requests");
    const [began, cpu] = [performance.now(), process.cpuUsage()];
    const { code, json } = await config("plan", ...more);
    const { user, system } = process.cpuUsage(cpu);
    const milliseconds = Math.round((user + system) / 1000);
    const requests = await readLog(emulator);
    const paths = requests.map(({ path }) => path.replace(/^\/api\/v1\//, ""));
    const texts = paths.filter((path) => /^knowledge-items\/\w+/.test(path));
    const pages = paths.filter((path) => !texts.includes(path));
    if (isProof)
      console.log(
        `${count} texts, plan ${more.join(" ")}: ${paths.length} requests, ${milliseconds} ms of CPU, ${Math.round(performance.now() - began)} ms`,
      );
    return {
      code,
      json,
      milliseconds,
      texts: texts.length,
      pages: pages.length,
      lists: new Set(pages.map((path) => path.split("?")[0])).size,
    };
  };
  // The files match the live state, so no text is read again.
  const pages = 9 + Math.ceil(count / perPage);
  expect(await planned()).toMatchObject({ code: 0, json: { writes: 0 }, texts: 0, pages, lists: 10 });
  const changed = (number: number) => `knowledge/preise/text-${number}.md`;
  for (const number of [3, 5]) write({ [changed(number)]: read(changed(number)).replaceAll("EUR", "Euro") });
  await api("PATCH", `/knowledge-items/${ids[7]}`, { text: "Live geändert." });
  const different = { drift: [{ key: "knowledge/preise/text-7", fields: ["text"] }] };
  expect(await planned()).toMatchObject({ code: 10, json: different, texts: 3, pages, lists: 10 });
  // A plan reads every differing text again, because lists can be outdated.
  const warm = await planned("--drift", "keep");
  expect(warm).toMatchObject({ code: 0, json: { writes: 2 }, texts: 3 });
  if (isProof) expect(warm.milliseconds).toBeLessThan(5_000);
}, 1_800_000);

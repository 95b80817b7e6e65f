/**
 * A separate process, forked by `histories.ts`, that sends parallel lanes of sequential requests to a shared
 * database file or over HTTP.
 */
import { openEmulator } from "../../src/emulator/index.js";
import type { Lanes, Recorded, Step } from "./histories.js";

let job: Lanes | undefined;
let emulator: Awaited<ReturnType<typeof openEmulator>> | undefined;

process.on("message", async (message: Lanes | "go") => {
  if (message === "go") {
    const histories = await Promise.all((job?.lanes ?? []).map(drive));
    await emulator?.close();
    process.send?.(JSON.stringify(histories));
    return;
  }
  job = message;
  emulator = job.db === undefined ? undefined : await openEmulator({ db: job.db, limits: job.limits });
  process.send?.("ready");
});

async function drive(steps: readonly Step[]): Promise<Omit<Recorded, "lane">[]> {
  const history: Omit<Recorded, "lane">[] = [];
  const own: string[] = [];
  for (const step of steps) {
    const path = step.path.replace("{{own}}", () => own.at(-1) ?? "0123456789abcdef01234567");
    const began = Number(process.hrtime.bigint());
    const response = await ask({ ...step, path });
    const ended = Number(process.hrtime.bigint());
    if (step.keep && response.status === 201) own.push(response.body.data.id);
    if (step.method === "DELETE" && response.status === 200 && path !== step.path) own.pop();
    history.push({ ...step, path, began, ended, ...response });
  }
  return history;
}

async function ask({ method, path, body, key = job?.key }: Step) {
  const request = new Request((job?.host ?? "http://emulator.localhost") + path, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(body && { "content-type": "application/json" }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  const response = emulator ? await emulator.fetch(request) : await fetch(request);
  return {
    status: response.status,
    body: JSON.parse(await response.text()),
    headers: Object.fromEntries(response.headers),
  };
}

import { describe, expect, it } from "vitest";
import { seededDraw } from "../../src/base/random.js";
import { createLimitedClient, createLimiter, type Wrong } from "./limiter.js";
import { createVirtualTime, startDate } from "./virtual-time.js";

const whole = process.env["PROOF"] !== undefined;
const hour = 3_600_000;
const create = { body: { group_id: "0123456789abcdef01234567", first_name: "Ada" } };

/** Returns the import's pace, and the most refusals in a window. */
async function importFor(milliseconds: number, wrong: Wrong, seed = 1) {
  const { localOff = 0, localOffLater = localOff } = wrong;
  const off = (elapsed: number) => (elapsed < milliseconds / 2 ? localOff : localOffLater);
  const time = createVirtualTime((elapsed) => startDate + elapsed + off(elapsed));
  const service = createLimiter(wrong, () => startDate + time.elapsed());
  let sent = 0;
  const client = createLimitedClient(service, {
    clock: time.clock,
    latency() {
      sent += 1;
      return 5 + seededDraw(seed, sent) * (wrong.slowest ?? 200);
    },
    jitter: () => seededDraw(seed, "jitter", sent),
  });
  const pace = client.paced("contacts.create", { expected: Number.POSITIVE_INFINITY });
  const inFlight = new Set<Promise<unknown>>();
  const run = async () => {
    while (time.elapsed() < milliseconds) {
      const turn = await pace.turn();
      const request = client
        .call("contacts.create", create, { turn })
        .finally(() => inFlight.delete(request));
      inFlight.add(request);
      if (inFlight.size >= 16) await Promise.race(inFlight);
    }
    await Promise.all(inFlight);
  };
  await time.run(run());
  const { limit = 200, windowMilliseconds = 60_000 } = wrong;
  // Skips the first window, which other clients may have used, and the incomplete last one.
  const [, ...windows] = [...service.passed];
  const [first = 0, last = 0] = [windows[0]?.[0], windows.at(-1)?.[0]];
  const passed = windows.slice(0, -1).reduce((sum, [, count]) => sum + count, 0);
  return {
    /** Share of the allowed requests that were sent. */
    pace: passed / ((limit * (last - first)) / windowMilliseconds),
    mostRefusals: Math.max(0, ...service.refusals.values()),
  };
}

const seconds = 1_000;
const hours = 3_600 * seconds;
const wrongs: readonly (readonly [string, Wrong])[] = [
  ["nothing is wrong", {}],
  ["Date is 2 h behind", { dateOff: -2 * hours }],
  ["Date is 2 h ahead", { dateOff: 2 * hours }],
  ["Date is 30 s behind", { dateOff: -30 * seconds }],
  ["Date is 30 s ahead", { dateOff: 30 * seconds }],
  ["Date and Reset are 2 h behind", { dateOff: -2 * hours, resetOff: -2 * hours }],
  ["Date and Reset are 30 s ahead", { dateOff: 30 * seconds, resetOff: 30 * seconds }],
  ["Reset is 40 s ahead of both clocks", { resetOff: 40 * seconds }],
  ["Reset is 40 s behind both clocks", { resetOff: -40 * seconds }],
  ["no Date is sent, and this machine is 40 s behind", { sendsDate: false, localOff: -40 * seconds }],
  ["this machine is 2 h behind", { localOff: -2 * hours }],
  ["this machine is 20 s ahead, and Date 20 s behind", { localOff: 20 * seconds, dateOff: -20 * seconds }],
  ["this machine is 2 h ahead, and Date behind", { localOff: 2 * hours, dateOff: -2 * hours }],
  ["this machine's clock is set back by 2 h", { localOffLater: -2 * hours }],
  ["this machine's clock is set forward by 2 h", { localOffLater: 2 * hours }],
  ["two nodes differ by a second", { nodeOff: seconds }],
  ["two nodes differ by 7 s", { nodeOff: 7 * seconds }],
  ["two nodes differ by 45 s, and Date is 2 h behind", { nodeOff: 45 * seconds, dateOff: -2 * hours }],
  [
    "two nodes differ by 4 s, and headers are sent only sometimes",
    { nodeOff: 4 * seconds, headers: "sometimes" },
  ],
  ["two nodes differ by 40 s, and no Date is sent", { nodeOff: 40 * seconds, sendsDate: false }],
  ["headers are sent only sometimes", { headers: "sometimes" }],
  ["headers are sent only sometimes, and Date is 2 h behind", { headers: "sometimes", dateOff: -2 * hours }],
  ["headers are never sent", { headers: "none" }],
  ["only Retry-After is sent", { headers: "Retry-After only" }],
  ["only Reset is sent, and Date is 30 s ahead", { headers: "Reset only", dateOff: 30 * seconds }],
  ["other clients have used most of the window", { before: whole ? 195 : 95 }],
  ["responses take up to 4 s", { slowest: 4 * seconds }],
  ["responses take up to 4 s, and Date is 30 s ahead", { slowest: 4 * seconds, dateOff: 30 * seconds }],
];

const longerInSample = ["Date is 2 h behind"];
/** One case for each type of clock error. */
const tried = whole ? wrongs : wrongs.filter((_, index) => index % 2 === 1 || index === 0);
/** A lower limit means fewer requests to simulate. */
const sampled = (wrong: Wrong): Wrong =>
  whole || wrong.headers === "none" ? wrong : { limit: 100, ...wrong };

describe("[T12] the pace of an import", () => {
  it.each(tried)(
    "an import has at most three refusals in a window if %s",
    async (name, wrong) => {
      const lasts = whole ? hour : hour / (longerInSample.includes(name) ? 4 : 20);
      const { pace, mostRefusals } = await importFor(lasts, sampled(wrong));
      expect({ pace, mostRefusals, isQuick: pace >= 0.95, isModest: mostRefusals <= 3 }).toMatchObject({
        isQuick: true,
        isModest: true,
      });
    },
    120_000,
  );

  it("an import uses at least 95% of the limit despite random clock errors", async () => {
    for (let seed = 1; seed <= (whole ? 100 : 1); seed += 1) {
      const wrong = anything(seed);
      const { pace, mostRefusals } = await importFor(whole ? hour : hour / 15, wrong, seed);
      expect({
        seed,
        wrong,
        pace,
        mostRefusals,
        isQuick: pace >= 0.95,
        isModest: mostRefusals <= 3,
      }).toMatchObject({
        isQuick: true,
        isModest: true,
      });
    }
  }, 1_200_000);

  it.each([
    [10, 6_000],
    [20, 10_000],
    [1000, 60_000],
  ])("an import follows the declared limit of %i writes per %i ms", async (limit, windowMilliseconds) => {
    const { pace, mostRefusals } = await importFor(whole ? 300_000 : 180_000, { limit, windowMilliseconds });
    expect(mostRefusals).toBe(0);
    // A tenth of the limit, at most two requests, is reserved for other clients.
    expect(pace).toBeGreaterThan(0.75);
  });
});

function anything(seed: number): Wrong {
  const draw = (name: string) => seededDraw(seed, name);
  const pick = <T>(name: string, from: readonly T[]): T | undefined =>
    from[Math.floor(draw(name) * from.length)];
  const off = (name: string) =>
    pick(
      name,
      [0, 0, 1, -1, 5, -5, 20, -20, 45, -45, 7200, -7200].map((s) => s * seconds),
    ) ?? 0;
  const sendsDate = draw("sends") < 0.8;
  return {
    dateOff: off("date"),
    resetOff: off("reset"),
    // Without Date, larger errors of a node, together with a jump of the local clock, may slow down an
    // import.
    nodeOff: (pick("node", sendsDate ? [0, 0, 1, 2, -4, 7, 20, 45] : [0, 0, 1]) ?? 0) * seconds,
    sendsDate,
    localOff: off("local"),
    localOffLater: off("later"),
    headers: pick("headers", ["all", "all", "all", "sometimes"] as const) ?? "all",
    before: Math.floor(draw("before") * 200),
    slowest: 50 + draw("slow") * 1_500,
  };
}

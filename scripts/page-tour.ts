// Takes screenshots of every tab of the emulator's web page for manual review, in two widths and both color
// schemes. Each stop of the tour is a tab in a certain state.
// Usage: node --import tsx scripts/page-tour.ts DIRECTORY [part of a stop's name [width [scheme]]]
// Needs Chromium and a build.
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import type { Page } from "playwright-core";
import * as z from "zod";
import { beat, openPage } from "../test/tools/ui-page.js";

const [folder, namePattern = "", onlyWidth = "", onlyScheme = ""] = process.argv.slice(2);
if (folder === undefined) throw new Error("missing output directory: scripts/page-tour.ts DIRECTORY");
mkdirSync(folder, { recursive: true });

const Rows = z.array(z.looseObject({ id: z.union([z.string(), z.number()]) }));
const Calls = z.array(
  z.looseObject({ id: z.string(), recording: z.looseObject({ available: z.boolean() }) }),
);
const Made = z.object({ data: z.looseObject({ id: z.string() }) });

/** Long realistic names. `long` has no position for a line break. */
const german = "Änne-Sophie Freifrau von Müller-Lüdenscheidt ẞ";
const company = "Gemeinschaftspraxis für Kieferorthopädie Dr. med. dent. Müller-Lüdenscheidt & Kollegen GmbH";
const long = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft";

const ui = await openPage("--seed", "demo");
const first = async (path: string) => String(Rows.parse(await ui.control("GET", path))[0]?.id);
const make = async (path: string, body: object) =>
  Made.parse((await ui.ask("POST", path, body)).body).data.id;

async function prepare() {
  const recorded = Calls.parse(await ui.control("GET", "/calls?limit=50")).find(
    ({ recording }) => recording.available,
  );
  const organization = await first("/organizations");
  const assistant = await first(`/resources/assistants?limit=1&organization_id=${organization}`);
  const group = await make("/groups", { type: "contacts", name: `${company} (${long})` });
  const contact = await make("/contacts", { group_id: group, first_name: german, last_name: long });
  await ui.control("POST", "/keys", { kind: "public", role: "editor", name: `${german} ${long}` });
  await ui.control("POST", "/organizations", { name: company });
  await ui.control("POST", "/snapshots", { name: `vor dem Import der ${company}` });
  await ui.control("POST", "/faults", { kind: "error_before", operation: "groups.list", times: 1 });
  await ui.ask("GET", "/assistants?limit=10");
  await ui.ask("POST", "/contacts", { first_name: "Änne", colour: "blue" });
  await ui.ask("POST", "/contacts", { first_name: "Bodo", colour: "red" });
  await ui.ask("GET", "/groups?type=contacts");
  await ui.ask("POST", "/groups", { type: "contacts", name: company });
  await ui.ask("POST", "/groups", { type: "contacts", name: company });
  await ui.ask("POST", "/contacts", { first_name: "Änne" }, "viewer");
  await ui.ask("GET", `/contacts?search=${encodeURIComponent(`${company} ${long}`)}`);
  const failed = await first("/requests?limit=1&errors=true&brief=true");
  await ui.control("POST", "/faults", {
    kind: "delay",
    delay_ms: 3_000,
    path: `/api/v1/${long}/**`,
    probability: 0.2,
    times: 10,
    skip: 2,
    expires_in_seconds: 600,
  });
  return { recorded: recorded?.id ?? "", assistant, group, contact, failed };
}

const at = await prepare();
const press = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole("button", { name }).first().click();
};
const stay = async () => {};

const stops: readonly (readonly [name: string, place: string, act: (page: Page) => Promise<unknown>])[] = [
  ["overview", "overview", stay],
  [
    "search",
    "overview",
    async (page) => {
      await page.keyboard.press("/");
      await page.keyboard.type("sommer");
      await page.getByRole("option").nth(1).waitFor();
    },
  ],
  ["calls", "calls", (page) => page.locator("main tbody tr").nth(5).waitFor()],
  ["calls-none", "calls?number=99999999", stay],
  ["calls-simulate", "calls", press("Simulate an incoming call")],
  [
    "call",
    `calls/${at.recorded}`,
    async (page) => {
      await press("Load recording")(page);
      await page.locator("svg.waveform").waitFor();
      await page
        .getByRole("button", { name: /^Play from/ })
        .nth(1)
        .click();
      await page.locator("audio").evaluate((audio) => audio.pause());
    },
  ],
  ["call-unknown", "calls/000000000000000000000000", stay],
  [
    "call-live",
    "calls",
    async (page) => {
      await press("Simulate an incoming call")(page);
      const form = page.getByRole("form", { name: "Simulate an incoming call" });
      await form.getByRole("button", { name: "Call" }).click();
      await page.getByText("ringing …").waitFor();
    },
  ],
  ["resources", "resources/contacts", (page) => page.locator("main tbody tr").nth(3).waitFor()],
  ["resources-assistants", "resources/assistants", stay],
  ["resources-none", "resources/contacts?search=gibt+es+nicht", stay],
  ["voices", "resources/voices", stay],
  ["assistant", `resources/assistants/${at.assistant}`, stay],
  ["assistant-json", `resources/assistants/${at.assistant}?as=json`, stay],
  ["contact", `resources/contacts/${at.contact}`, stay],
  ["contact-new", "resources/contacts/new", press("Create")],
  ["contact-delete", `resources/contacts/${at.contact}`, press("Delete…")],
  ["requests", "requests", (page) => page.locator("main tbody tr").nth(5).waitFor()],
  ["request", `requests/${at.failed}`, stay],
  [
    "request-replay",
    `requests/${at.failed}`,
    async (page) => {
      await press("Replay…")(page);
    },
  ],
  ["errors", "requests/errors", stay],
  ["request-new", "requests/new", stay],
  ["webhooks", "requests/webhooks", stay],
  ["emulator", "emulator", stay],
  ["snapshots", "emulator/snapshots", stay],
  ["keys", "emulator/keys", stay],
  ["organizations", "emulator/organizations", stay],
  ["emulator-clock-asks", "emulator", press("Advance by 1 h")],
  ["reset-asks", "emulator/snapshots", press("Reset…")],
  ["menu", "overview", (page) => page.locator("button.menu").evaluate((button) => button.click())],
  ["faults", "faults", stay],
  ["faults-asks", "faults", press("Remove all…")],
  ["limits", "limits", stay],
  ["rules", "rules", stay],
  ["raw", "raw", stay],
  ["raw-table", "raw/contacts", stay],
];

try {
  for (const width of [1280, 390].filter((candidate) => String(candidate).includes(onlyWidth))) {
    for (const colorScheme of (["light", "dark"] as const).filter((candidate) =>
      candidate.includes(onlyScheme),
    )) {
      await using opened = await ui.visit("", {
        viewport: { width, height: width === 390 ? 844 : 850 },
        colorScheme,
        reducedMotion: "reduce",
      });
      const { page, complaints } = opened;
      for (const [name, route, act] of stops.filter(([stopName]) => new RegExp(namePattern).test(stopName))) {
        await page.goto("about:blank");
        await page.goto(`${ui.emulator.startLine.url}/_emulator/ui#${route}`);
        await page.locator("main h2").first().waitFor();
        await beat(page);
        await act(page);
        await beat(page);
        const path = join(folder, `${name}-${width}-${colorScheme}.png`);
        await page.screenshot({ path, fullPage: true });
      }
      if (complaints.length > 0) console.error(width, colorScheme, complaints);
    }
  }
} finally {
  await ui.close();
}

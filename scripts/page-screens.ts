// Takes the README's pictures of the emulator's page, with the demo data: node --import tsx scripts/page-screens.ts
// Needs Chromium and a build. Fonts differ from machine to machine, so nothing compares the pictures.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import * as z from "zod";
import { openPage } from "../test/tools/ui-page.js";

const folder = fileURLToPath(new URL("../docs/images/", import.meta.url));
const Calls = z.array(
  z.looseObject({ id: z.string(), recording: z.looseObject({ available: z.boolean() }) }),
);

const ui = await openPage("--seed", "demo");

async function takeScreenshot(
  name: string,
  route: string,
  prepare: (page: Page) => Promise<unknown>,
): Promise<void> {
  await using opened = await ui.visit(route, {
    viewport: { width: 960, height: 600 },
    colorScheme: "light",
    reducedMotion: "reduce",
  });
  await prepare(opened.page);
  await opened.page.screenshot({ path: `${folder}${name}.png` });
}

try {
  mkdirSync(folder, { recursive: true });
  const recorded = Calls.parse(await ui.control("GET", "/calls?limit=50")).find(
    ({ recording }) => recording.available,
  );
  await takeScreenshot("page-call", `calls/${recorded?.id}`, async (page) => {
    await page.getByRole("button", { name: "Load the recording" }).click();
    await page.locator("svg.waveform path").waitFor();
  });

  await ui.control("POST", "/faults", { kind: "error_before", operation: "groups.list", times: 1 });
  await ui.ask("GET", "/assistants?limit=10");
  await ui.ask("GET", "/contacts?limit=50");
  await ui.ask("POST", "/contacts", { first_name: "Änne", colour: "blue" });
  await ui.ask("GET", "/groups?type=contacts");
  await ui.ask("POST", "/groups", { type: "contacts", name: "Stammkunden" });
  await ui.ask("POST", "/groups", { type: "contacts", name: "Stammkunden" });
  await ui.ask("POST", "/contacts", { first_name: "Änne" }, "viewer");
  await ui.ask("GET", "/calls?limit=20");
  await takeScreenshot("page-requests", "requests", (page) => page.locator("main tbody tr").nth(6).waitFor());
} finally {
  await ui.close();
}

// Takes the README's screenshot of the emulator's web page with demo data.
// Usage: node --import tsx scripts/page-screens.ts
// Needs Chromium and a build. Fonts differ between machines, so no test compares the screenshot.
import { mkdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { openPage } from "../test/tools/ui-page.js";

const folder = fileURLToPath(new URL("../docs/images/", import.meta.url));
const Calls = z.array(
  z.looseObject({ id: z.string(), recording: z.looseObject({ available: z.boolean() }) }),
);

const ui = await openPage("--seed", "demo");

try {
  mkdirSync(folder, { recursive: true });
  const recorded = Calls.parse(await ui.control("GET", "/calls?limit=50")).find(
    ({ recording }) => recording.available,
  );
  await using opened = await ui.visit(`calls/${recorded?.id}`, {
    viewport: { width: 1080, height: 640 },
    colorScheme: "light",
    reducedMotion: "reduce",
  });
  await opened.page.getByRole("button", { name: "Load recording" }).click();
  await opened.page.locator("svg.waveform").waitFor();
  await opened.page.screenshot({ path: `${folder}page-call.png` });
} finally {
  await ui.close();
}

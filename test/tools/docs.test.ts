import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../../src/contract/contract.js";
import { type BuiltEmulator, startBuiltEmulator } from "./built-emulator.js";
import { missingPrograms, pathOf } from "./programs.js";

const missing = missingPrograms("chromium");
const published = Object.entries(operations).filter(([, operation]) => operation.surface === "public");

const flags = [
  "--headless",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  // Whatever is not the emulator does not exist.
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
];

interface Visit {
  page: Page;
  /** What the page asked for, beyond itself. */
  requests: string[];
  /** What the console and the page itself complained of. */
  complaints: string[];
}

// A browser is no dependency; the title says which one is missing.
describe.skipIf(missing !== undefined)("the page at /docs, in Chromium", () => {
  let emulator: BuiltEmulator;
  let browser: Browser;

  beforeAll(async () => {
    emulator = await startBuiltEmulator();
    browser = await chromium.launch({ executablePath: pathOf("chromium") ?? "", args: flags });
  });
  afterAll(async () => {
    await browser?.close();
    await emulator?.stop();
  });

  async function visit(anchor = "", colorScheme: "light" | "dark" = "light"): Promise<Visit> {
    const page = await browser.newPage({ colorScheme, viewport: { width: 1400, height: 900 } });
    const requests: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`${emulator.startLine.base_url}/docs${anchor}`);
    await page.getByText("Create a contact").first().waitFor();
    return { page, requests, complaints };
  }

  it("shows every operation", async () => {
    const { page } = await visit();
    const shown = await page.locator("rapi-doc .nav-bar-path").allInnerTexts();
    const titles = new Set(shown.map((text) => text.split("\n").at(-1)?.trim()));
    expect(published.map(([, { summary }]) => summary).filter((summary) => !titles.has(summary))).toEqual([]);
    await page.close();
  });

  it("shows each operation without complaint and without asking another host", async () => {
    const { page, requests, complaints } = await visit();
    for (const [, { summary }] of published) {
      await page.locator("rapi-doc .nav-bar-path", { hasText: summary }).first().click();
      await page.locator("rapi-doc main h2", { hasText: summary }).first().waitFor();
    }
    expect(complaints).toEqual([]);
    const { origin } = new URL(emulator.startLine.base_url);
    expect(requests.filter((url) => !url.startsWith("data:")).sort()).toEqual([
      `${origin}/api/v1/docs`,
      `${origin}/api/v1/docs/rapidoc.js`,
      `${origin}/api/v1/openapi.json`,
    ]);
    await page.close();
  });

  it("shows the document's own examples, and says what is assumed", async () => {
    const { page } = await visit("#post-/contacts");
    await expect.poll(() => page.locator("rapi-doc textarea").first().inputValue()).toContain("Sommer");
    await page.locator("rapi-doc button.tab-btn[data-tab=schema]").first().click();
    await page.getByText("Assumed: D-contact").first().waitFor();
    await page.close();
  });

  it("sends a request to the emulator that serves it", async () => {
    const { page, complaints } = await visit("#get-/ping");
    const key = JSON.stringify(emulator.startLine.keys.admin);
    await page.evaluate(`document.querySelector("rapi-doc").setApiKey("apiKey", ${key})`);
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().endsWith("/ping")),
      page.locator('rapi-doc button[part~="btn-try"]').first().click(),
    ]);
    expect([answer.status(), (await answer.json()).data.ok]).toEqual([200, true]);
    expect(complaints).toEqual([]);
    await page.close();
  });

  it("is light or dark as the reader's system is", async () => {
    const brightness = async (scheme: "light" | "dark") => {
      const { page } = await visit("", scheme);
      const colour: string = await page.evaluate(
        `getComputedStyle(document.querySelector("rapi-doc")).backgroundColor`,
      );
      const theme = await page.locator("rapi-doc").getAttribute("theme");
      await page.close();
      const [red = 0, green = 0, blue = 0] = [...colour.matchAll(/\d+/g)].map(Number);
      return { theme, mean: (red + green + blue) / 3 };
    };
    const [light, dark] = [await brightness("light"), await brightness("dark")];
    expect([light.theme, dark.theme]).toEqual(["light", "dark"]);
    expect(light.mean).toBeGreaterThan(200);
    expect(dark.mean).toBeLessThan(80);
  });
});

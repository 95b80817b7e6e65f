import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { operations } from "../../src/contract/contract.js";
import { axeTimeout, findViolations } from "./axe.js";
import { type BuiltEmulator, startBuiltEmulator } from "./built-emulator.js";
import { launchChromium } from "./chromium.js";
import { findMissingPrograms } from "./programs.js";

const missing = findMissingPrograms("chromium");
const published = Object.entries(operations).filter(([, operation]) => operation.api === "public");

/** With the mouse, the test clicks the operations whose index is divisible by this number. */
const everyNth = 12;
/** Height of the bar at the top, in pixels. A link's target must be below the bar. */
const belowBar = 48;

interface Visit {
  page: Page;
  /** The URLs that the page requested from other hosts. */
  requests: string[];
  /** The errors of the console and of the page itself. */
  complaints: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

const Ticket = z.object({ data: z.object({ url: z.string() }) });
const Calls = z.object({
  data: z.array(z.object({ id: z.string(), recording: z.object({ available: z.boolean() }).loose() })),
});

// The project does not install a browser. Without one, the title of the skipped tests names the missing program.
describe.skipIf(missing !== undefined)("the web page at /docs, in Chromium", () => {
  let emulator: BuiltEmulator;
  let browser: Browser;

  beforeAll(async () => {
    emulator = await startBuiltEmulator("--seed", "demo");
    browser = await launchChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await emulator?.stop();
  });

  interface Look {
    anchor?: string;
    width?: number;
  }

  async function visit({ anchor = "", width = 1280 }: Look = {}): Promise<Visit> {
    const context = await browser.newContext({ viewport: { width, height: 844 } });
    const page = await context.newPage();
    const requests: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    await page.goto(`${emulator.startLine.base_url}/docs${anchor}`);
    return { page, requests, complaints, [Symbol.asyncDispose]: () => context.close() };
  }

  const operation = (page: Page, id: string) => page.locator(`section[id="${id}"]`);

  it.each([390, 1280])("the API reference fits a window of %i px", async (width) => {
    await using visited = await visit({ width });
    const { page, complaints } = visited;
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
    const menu = page.getByRole("navigation", { name: "Operations" });
    const opener = page.getByRole("button", { name: "Menu" });
    expect([await menu.isVisible(), await opener.isVisible()]).toEqual(
      width > 400 ? [true, false] : [false, true],
    );
    for (const [id, { summary }] of published.filter((_, index) => index % everyNth === 0)) {
      if (width < 400) await opener.click();
      await menu.getByLabel("Find an operation").fill(id);
      const link = menu.locator(`[href="#${id}"]`);
      expect(await link.innerText()).toContain(summary);
      await link.click();
      expect(await operation(page, id).getByRole("heading", { level: 3 }).isVisible()).toBe(true);
      expect((await operation(page, id).boundingBox())?.y).toBeGreaterThanOrEqual(belowBar);
      if (width < 400) expect(await menu.isVisible()).toBe(false);
    }
    // A mouse click takes a tenth of a second, so a script in the page clicks the remaining operations.
    const ids = published.map(([id]) => id);
    const reached = await page.locator(":root").evaluate(
      ({ ownerDocument: document }, ids) =>
        ids.map((id) => {
          const link = document.querySelector(`nav li[data-words] [href="#${id}"]`);
          link?.click();
          const section = document.getElementById(id);
          const heading: boolean | undefined = section?.querySelector("h3")?.checkVisibility();
          const top: number | undefined = section?.getBoundingClientRect().top;
          return { id, words: link?.textContent, heading, top };
        }),
      ids,
    );
    expect(reached).toEqual(
      published.map(([id, { summary }]) => ({
        id,
        words: expect.stringContaining(summary),
        heading: true,
        top: expect.toSatisfy((top: number) => top >= belowBar),
      })),
    );
    expect(complaints).toEqual([]);
  });

  it("with all details open, the API reference loads only its own files", async () => {
    await using visited = await visit();
    const { page, requests, complaints } = visited;
    await page.evaluate("for (const details of document.querySelectorAll('details')) details.open = true");
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(1280);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
    expect(complaints).toEqual([]);
    const docs = `${emulator.startLine.base_url}/docs`;
    expect(requests.filter((url) => !url.startsWith("data:")).sort()).toEqual([
      docs,
      `${docs}/docs.css`,
      `${docs}/docs.js`,
    ]);
  });

  it("the API reference's search finds operations by words", async () => {
    await using visited = await visit();
    const menu = visited.page.getByRole("navigation", { name: "Operations" });
    await menu.getByLabel("Find an operation").fill("contact POST");
    expect(await menu.locator("li[data-words]:visible").allInnerTexts()).toEqual(["Create a contact"]);
  });

  it("the page shows the document's own examples and marks assumptions", async () => {
    await using visited = await visit({ anchor: "#contacts.create" });
    const section = operation(visited.page, "contacts.create");
    await section.locator(".languages").getByText("Sommer").first().waitFor();
    await section.getByText("Assumed: D-contact").first().waitFor();
  });

  it("without scripts, the API reference shows only the view in its address", async () => {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const shown = async () => [
      await operation(page, "contacts.create").isVisible(),
      await operation(page, "calls.list").isVisible(),
      await page.locator("#introduction").isVisible(),
    ];
    await page.goto(`${emulator.startLine.base_url}/docs`);
    expect(await shown()).toEqual([false, false, true]);
    await page.goto(`${emulator.startLine.base_url}/docs#contacts.create`);
    expect(await shown()).toEqual([true, false, false]);
    await context.close();
  });

  it("the page remembers the language of the example requests", async () => {
    await using visited = await visit({ anchor: "#contacts.create" });
    const { page } = visited;
    const section = operation(page, "contacts.create");
    await section.getByText("Python").click();
    await section.getByText("requests.post").waitFor();
    await page.reload();
    await section.getByText("requests.post").waitFor();
    expect(await section.getByText('curl "$VOXCTL').isVisible()).toBe(false);
  });

  it("the page sends a request to the emulator with a key that the user types", async () => {
    await using visited = await visit({ width: 390, anchor: "#contacts.create" });
    const { page, complaints } = visited;
    const section = operation(page, "contacts.create");
    await section.getByText("Try it").click();
    const send = section.getByRole("button", { name: "Send POST /contacts" });
    await send.click();
    await section.getByText("Enter or select an API key first").click();
    await page.locator("#key").fill(emulator.startLine.keys.admin);
    await page.keyboard.press("Escape");
    await send.click();
    await section.getByText("404 Not Found").waitFor();
    expect(await section.locator("output").innerText()).toContain("X-Emulator-Rule");
    await page.goto(`${emulator.startLine.base_url}/docs#groups.list`);
    const groups = operation(page, "groups.list");
    await groups.getByText("Try it").click();
    await groups.getByLabel("limit").fill("1");
    await groups.getByRole("button", { name: "Send" }).click();
    await groups.getByText("200 OK").waitFor();
    expect(await groups.locator("output pre").innerText()).toMatch(/"has_more": true/);
    // The browser logs only the refused request as an error.
    expect(complaints).toEqual([expect.stringContaining("404")]);
  });

  it("the page offers the emulator's keys once the web UI was opened in the same browser", async () => {
    await using visited = await visit();
    const { page } = visited;
    await page.getByRole("button", { name: "API key" }).click();
    await page.getByRole("button", { name: "Use a key of this emulator" }).click();
    await page.getByText("First open the emulator's page in this browser").waitFor();
    const { control_url, control_token } = emulator.startLine;
    const headers = { authorization: `Bearer ${control_token}` };
    const response = await fetch(`${control_url}/ui-tickets`, { method: "POST", headers });
    const { data } = Ticket.parse(await response.json());
    await page.goto(data.url);
    await page.getByRole("link", { name: "API reference" }).click();
    await page.getByRole("button", { name: "API key: admin" }).click();
    await page.getByLabel("A key of this emulator").selectOption("viewer");
    await page.getByText("Using viewer.").waitFor();
    expect(await page.locator("#key").inputValue()).toBe(emulator.startLine.keys.viewer);
  });

  it("the page plays a recording", async () => {
    await using visited = await visit({ anchor: "#calls.recording.get" });
    const { page } = visited;
    const { base_url, keys } = emulator.startLine;
    const headers = { authorization: `Bearer ${keys.admin}` };
    const calls = Calls.parse(await (await fetch(`${base_url}/calls?limit=50`, { headers })).json());
    const recorded = calls.data.find(({ recording }) => recording.available);
    await page.getByRole("button", { name: "API key" }).click();
    await page.locator("#key").fill(keys.admin);
    await page.keyboard.press("Escape");
    const section = operation(page, "calls.recording.get");
    await section.getByText("Try it").click();
    await section.getByLabel("call_id").fill(recorded?.id ?? "");
    await section.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => page.evaluate("document.querySelector('audio')?.duration > 0")).toBe(true);
  });

  it.each(["/", "/api/v1/docs", "/api/v1/docs#contacts.create"])(
    "axe finds no violations at %s, in wide and narrow windows, in light and dark mode",
    async (path) => {
      await using visited = await visit();
      const { page } = visited;
      await page.goto(emulator.startLine.url + path);
      expect(await findViolations(page)).toEqual([]);
    },
    axeTimeout,
  );

  it("the page follows the system's light or dark mode", async () => {
    await using visited = await visit();
    const { page } = visited;
    const brightness = async (colorScheme: "light" | "dark") => {
      await page.emulateMedia({ colorScheme });
      const colour: string = await page.evaluate("getComputedStyle(document.body).backgroundColor");
      const [red = 0, green = 0, blue = 0] = [...colour.matchAll(/\d+/g)].map(Number);
      return (red + green + blue) / 3;
    };
    expect(await brightness("light")).toBeGreaterThan(200);
    expect(await brightness("dark")).toBeLessThan(80);
  });
});

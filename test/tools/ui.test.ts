import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { type BuiltEmulator, startBuiltEmulator } from "./built-emulator.js";
import { missingPrograms, pathOf } from "./programs.js";

const missing = missingPrograms("chromium");

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

const views = ["Requests", "Organizations", "Faults", "Limits", "Resources", "Rules"];
const nasty = '<img src=x onerror="document.title=1">';

const Answer = z.object({ data: z.looseObject({}) });
const TicketPath = z.object({ path: z.string() });

interface Visit {
  page: Page;
  /** What the page asked for. */
  requests: string[];
  /** What the console and the page itself complained of. */
  complaints: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

// A browser is no dependency; the title says which one is missing.
describe.skipIf(missing !== undefined)("the page at /_emulator/ui, in Chromium", () => {
  let emulator: BuiltEmulator;
  let browser: Browser;

  beforeAll(async () => {
    emulator = await startBuiltEmulator("--clock", "virtual", "--start-time", "2026-03-02T09:00:00Z");
    browser = await chromium.launch({ executablePath: pathOf("chromium") ?? "", args: flags });
  });
  afterAll(async () => {
    await browser?.close();
    await emulator?.stop();
  });

  async function send(
    method: string,
    path: string,
    key: string,
    body?: object,
  ): Promise<{ status: number; body: unknown }> {
    const response = await fetch(emulator.startLine.url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    // Read at once, so that its connection is free again.
    return { status: response.status, body: await response.json() };
  }
  const ask = (method: string, path: string, body?: object) =>
    send(method, `/api/v1${path}`, emulator.startLine.keys.admin, body);
  const control = async (method: string, path: string, body?: object) =>
    Answer.parse((await send(method, `/_emulator${path}`, emulator.startLine.control_token, body)).body).data;
  /** Waits until the page shows requests as they come. */
  const settled = (page: Page) => page.getByRole("heading", { name: "Requests", level: 2 }).waitFor();

  async function visit(view = "", options: Parameters<Browser["newContext"]>[0] = {}): Promise<Visit> {
    const context = await browser.newContext({ viewport: { width: 1300, height: 850 }, ...options });
    const page = await context.newPage();
    const requests: string[] = [];
    const complaints: string[] = [];
    page.on("request", (request) => requests.push(request.url()));
    page.on("console", (message) => {
      if (["error", "warning"].includes(message.type())) complaints.push(message.text());
    });
    page.on("pageerror", (error) => complaints.push(error.message));
    page.on("requestfailed", (request) =>
      complaints.push(`${request.url()} ${request.failure()?.errorText}`),
    );
    const { path } = TicketPath.parse(await control("POST", "/ui-tickets"));
    await page.goto(`${emulator.startLine.url}${path}${view && `#${view}`}`);
    await page.locator("main h2").waitFor();
    await page.locator("#clock time").waitFor();
    return { page, requests, complaints, [Symbol.asyncDispose]: () => context.close() };
  }

  it("opens with the link, which then leads nobody else in and is no longer in the address", async () => {
    await using opened = await visit();
    const { page } = opened;
    expect(page.url()).toBe(`${emulator.startLine.url}/_emulator/ui`);
    await page.reload();
    await settled(page);
    const stranger = await browser.newContext();
    const other = await stranger.newPage();
    const answer = await other.goto(page.url());
    expect(answer?.status()).toBe(401);
    await other.getByText("voxctl emulator ui").waitFor();
    await stranger.close();
  });

  it("shows requests as they come, says so politely, and opens one with its rule and bodies", async () => {
    await using opened = await visit();
    const { page } = opened;
    await ask("GET", "/contacts?limit=2");
    const row = page.getByRole("row").filter({ hasText: "/api/v1/contacts?limit=2" }).first();
    await row.waitFor();
    await expect
      .poll(() => page.getByRole("status").first().textContent())
      .toContain("/api/v1/contacts?limit=2");
    await ask("POST", "/contacts", { first_name: "Anna", colour: "blue" });
    const refused = page.getByRole("row").filter({ hasText: "POST" }).first();
    expect(await refused.innerText()).toContain("400");
    const button = refused.getByRole("button");
    expect(await button.getAttribute("aria-expanded")).toBe("false");
    await button.click();
    await page.getByRole("region", { name: "Request body" }).getByText('"colour": "blue"').first().waitFor();
    expect(await button.getAttribute("aria-expanded")).toBe("true");
    const detail = page.locator("tr.detail");
    expect(await detail.getByText("admin (public)").count()).toBe(1);
    await expect.poll(() => detail.locator(".rule").innerText()).toMatch(/^\S+ \(.+\): .{10,}/);
    expect(await detail.getByText('"validation_failed"').count()).toBe(1);
    await button.click();
    expect(await detail.count()).toBe(0);
    // Its rule leads to what it says.
    await refused.getByRole("link").click();
    await page.getByRole("heading", { name: "Rules", level: 2 }).waitFor();
    await expect.poll(() => page.locator("dl.rules dt").first().innerText()).toContain("public.");
  });

  it("filters requests, and stands still while paused", async () => {
    await using opened = await visit();
    const { page } = opened;
    await ask("GET", "/groups");
    await ask("GET", "/voices/none");
    const rows = () => page.locator("main tbody tr:visible");
    await rows().filter({ hasText: "/voices/none" }).first().waitFor();
    await page.getByLabel("Errors only").check();
    for (const text of await rows().allInnerTexts()) expect(text).toMatch(/\b[45]\d\d\b/);
    await page.getByLabel("Errors only").uncheck();
    await page.getByLabel("Filter").fill("voices");
    for (const text of await rows().allInnerTexts()) expect(text).toContain("voices");
    await page.getByLabel("Filter").fill("");
    await page.getByLabel("Paused").check();
    // One poll that began before it was paused may still end.
    await page.waitForResponse((response) => response.url().endsWith("/clock"));
    await ask("GET", "/prompts?limit=7");
    for (let polls = 0; polls < 2; polls += 1)
      await page.waitForResponse((response) => response.url().endsWith("/clock"));
    expect(await rows().filter({ hasText: "/prompts?limit=7" }).count()).toBe(0);
    await page.getByLabel("Paused").uncheck();
    await rows().filter({ hasText: "/prompts?limit=7" }).first().waitFor();
  });

  it("moves the clock, to the next event too, and changes its mode", async () => {
    await using opened = await visit();
    const { page } = opened;
    const clock = page.getByRole("region", { name: "Clock" });
    const now = async () => Date.parse(String((await control("GET", "/clock"))["now"]));
    for (const [name, seconds] of [
      ["Advance by 1 minute", 60],
      ["Advance by 1 hour", 3_600],
      ["Advance by 1 day", 86_400],
    ] as const) {
      const before = await now();
      await clock.getByRole("button", { name }).click();
      const after = new Date(before + seconds * 1000).toISOString();
      await clock.locator(`time[datetime="${after}"]`).waitFor();
      expect(await now()).toBe(before + seconds * 1000);
    }
    await ask("GET", "/ping");
    const before = await now();
    await clock.getByRole("button", { name: "Next event" }).click();
    // The window that the request opened ends.
    await expect.poll(now).toBe(before + 60_000);
    await clock.getByRole("button", { name: "Let it run" }).click();
    await clock.getByText("running (real)").waitFor();
    expect((await control("GET", "/clock"))["mode"]).toBe("real");
    await clock.getByRole("button", { name: "Freeze" }).click();
    await clock.getByText("frozen (virtual)").waitFor();
    expect((await control("GET", "/clock"))["mode"]).toBe("virtual");
  });

  it("adds a fault that strikes, shows how often, and removes it", async () => {
    await using opened = await visit("faults");
    const { page } = opened;
    const form = page.getByRole("form", { name: "Add a fault" });
    await form.getByLabel("Kind").selectOption("error_before");
    await form.getByLabel("Operation").fill("groups.list");
    await form.getByLabel("Times").fill("2");
    await form.getByRole("button", { name: "Add" }).click();
    const row = page.getByRole("row").filter({ hasText: "groups.list" });
    await row.getByText("2 times").waitFor();
    expect((await ask("GET", "/groups")).status).toBe(500);
    await expect.poll(() => row.getByRole("cell").nth(2).innerText()).toBe("1");
    await row.getByRole("button", { name: "Remove the fault error_before on groups.list" }).click();
    await page.getByText("No faults").waitFor();
    expect((await ask("GET", "/groups")).status).toBe(200);
    // A delay needs its length, and the field is there only then.
    expect(await form.getByLabel("Delay in ms").isVisible()).toBe(false);
    await form.getByLabel("Kind").selectOption("delay");
    await form.getByLabel("Delay in ms").fill("5");
    await form.getByRole("button", { name: "Add" }).click();
    await page.getByText("by 5 ms").waitFor();
    await page.getByRole("button", { name: "Remove all" }).click();
    await page.getByText("No faults").waitFor();
  });

  it("shows what is left of the limits", async () => {
    await using opened = await visit("limits");
    const { page } = opened;
    const row = page.getByRole("row").filter({ hasText: /^viewer\s*public\s*read/ });
    await row.getByText("1000 of 1000").waitFor();
    await send("GET", "/api/v1/groups", emulator.startLine.keys.viewer);
    await row.getByText("999 of 1000").waitFor();
    await page.getByLabel("Only what is in use").check();
    await expect
      .poll(() =>
        page
          .getByRole("row")
          .filter({ hasText: /^caller/ })
          .count(),
      )
      .toBe(0);
    expect(await row.count()).toBe(1);
  });

  it("shows the organizations as a tree, and explains rules", async () => {
    await using opened = await visit("organizations");
    const { page } = opened;
    const tree = page.locator(".tree");
    await tree.getByText("distributor", { exact: false }).first().waitFor();
    const msp = tree.locator("summary", { hasText: "Havel IT-Systemhaus GmbH, MSP" });
    const customer = tree.locator("summary", { hasText: "Zahnarztpraxis Dr. Sommer, customer" });
    expect(await customer.isVisible()).toBe(false);
    await msp.click();
    await customer.waitFor();
    expect(await customer.innerText()).toContain("the first");
    expect(await tree.locator("summary", { hasText: "blocked" }).count()).toBeGreaterThan(0);
    await page.getByRole("link", { name: "Rules" }).click();
    await page.getByLabel("Explain").fill("D-strict");
    await expect.poll(() => page.locator("dl.rules dt").first().innerText()).toContain("D-strict");
    await expect.poll(() => page.locator("dl.rules dt").count()).toBeLessThan(20);
  });

  it("looks into tables, page by page", async () => {
    await using opened = await visit("resources");
    const { page } = opened;
    await page.getByRole("link", { name: "calls", exact: true }).click();
    const rows = page.getByRole("region", { name: "Rows of calls" }).getByRole("row");
    await rows.nth(1).waitFor();
    expect(await rows.count()).toBe(51);
    const first = await rows.nth(1).innerText();
    await page.getByRole("button", { name: "Older" }).click();
    await page.getByText("rows 51 to 100").waitFor();
    expect(await rows.nth(1).innerText()).not.toBe(first);
    await page.getByRole("button", { name: "Newer" }).click();
    await page.getByText("rows 1 to 50").waitFor();
    expect(await page.getByRole("button", { name: "Newer" }).isDisabled()).toBe(true);
  });

  it("shows what the API says as text, whatever it says", async () => {
    const organization = await control("POST", "/organizations", { name: nasty });
    const groups = z
      .object({ data: z.array(z.looseObject({ id: z.string() })) })
      .parse((await ask("GET", "/groups?type=contacts")).body);
    await ask("POST", "/contacts", { first_name: nasty, group_id: groups.data[0]?.id });
    await ask("GET", `/contacts?search=${nasty}`);
    await control("POST", "/faults", { kind: "delay", delay_ms: 0, path: `/${nasty}`, times: 1 });
    await control("POST", "/keys", { kind: "public", name: nasty });
    await using opened = await visit();
    const { page, complaints, requests } = opened;
    await page.getByRole("row").filter({ hasText: "POST" }).first().getByRole("button").click();
    await page.getByRole("region", { name: "Request body" }).waitFor();
    for (const view of ["organizations", "faults", "limits", "resources/contacts", "resources/keys"]) {
      await page.goto(`${emulator.startLine.url}/_emulator/ui#${view}`);
      await page.getByText("<img").first().waitFor({ state: "attached" });
    }
    expect(await page.locator("img").count()).toBe(0);
    expect(await page.title()).toContain("Emulator");
    expect(complaints).toEqual([]);
    expect(requests.filter((url) => /\/x$/.test(url))).toEqual([]);
    expect(organization["name"]).toBe(nasty);
    await control("DELETE", "/faults");
  });

  it("could not make markup of text if it wanted to", async () => {
    await using opened = await visit();
    const refused = await opened.page.locator("body").evaluate((body) => {
      try {
        body.insertAdjacentHTML("beforeend", "<p id=markup></p>");
        return false;
      } catch {
        return true;
      }
    });
    expect(refused).toBe(true);
    expect(await opened.page.locator("#markup").count()).toBe(0);
  });

  it("asks nobody but the emulator, and complains of nothing", async () => {
    await using opened = await visit();
    const { page, requests, complaints } = opened;
    for (const name of views) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { name, level: 2 }).waitFor();
      await page.waitForResponse((response) => response.url().endsWith("/clock"));
    }
    expect(complaints).toEqual([]);
    expect(requests.length).toBeGreaterThan(10);
    const foreign = requests.filter(
      (url) => !url.startsWith(`${emulator.startLine.url}/_emulator/`) && !url.startsWith("data:"),
    );
    expect(foreign).toEqual([]);
  });

  it("is used with the keyboard alone", async () => {
    await using opened = await visit();
    const { page } = opened;
    const focused = () =>
      page.locator(":focus").evaluate((element) => element.getAttribute("aria-label") ?? element.textContent);
    const visiblyFocused = () =>
      page.locator(":focus").evaluate((element) => {
        const { outlineStyle, outlineWidth } = element.ownerDocument.defaultView.getComputedStyle(element);
        return outlineStyle === "solid" && Number.parseFloat(outlineWidth) >= 2;
      });
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 40; presses += 1) {
        await page.keyboard.press("Tab");
        const reached = await focused();
        expect([reached, await visiblyFocused()]).toEqual([reached, true]);
        if (reached === name) return;
      }
      throw new Error(`${name} is not reached with the Tab key`);
    };
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to the content");
    const before = await control("GET", "/clock");
    await tabTo("Advance by 1 hour");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await control("GET", "/clock"))["now"]).not.toBe(before["now"]);
    expect(await focused()).toBe("Advance by 1 hour");
    await tabTo("Faults");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Faults", level: 2 }).waitFor();
    // From the heading on, what follows is the view.
    expect(await focused()).toBe("Faults");
    await page.getByLabel("Operation").waitFor();
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press("Tab");
      if (await page.getByLabel("Operation").evaluate((field) => field.matches(":focus"))) break;
    }
    await page.keyboard.type("ping");
    await page.keyboard.press("Enter");
    await page.getByRole("row").filter({ hasText: "ping" }).waitFor();
    await control("DELETE", "/faults");
  });

  it("keeps the focus where it is while requests come", async () => {
    await using opened = await visit();
    const { page } = opened;
    await ask("GET", "/voices?limit=3");
    const button = page.getByRole("button", { name: "/api/v1/voices?limit=3" }).first();
    await button.focus();
    await ask("GET", "/voices?limit=4");
    await page.getByRole("button", { name: "/api/v1/voices?limit=4" }).first().waitFor();
    expect(await button.evaluate((element) => element.matches(":focus"))).toBe(true);
  });

  it.each(views)("has landmarks, one heading of each first rank, labels and names: %s", async (name) => {
    await using opened = await visit(name.toLowerCase());
    const { page } = opened;
    await page.getByRole("heading", { name, level: 2 }).waitFor();
    for (const landmark of ["banner", "navigation", "main"] as const)
      expect([landmark, await page.getByRole(landmark).count()]).toEqual([landmark, 1]);
    expect(await page.getByRole("heading", { level: 1 }).count()).toBe(1);
    expect(await page.locator("main h2").count()).toBe(1);
    expect(await page.locator("html").getAttribute("lang")).toBe("en");
    expect(await page.title()).toBe(`${name} · Emulator`);
    expect(await page.getByRole("link", { name, exact: true }).getAttribute("aria-current")).toBe("page");
    const faults = await page.locator(":root").evaluate(({ ownerDocument: document }) => {
      const found: string[] = [];
      const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
      if (new Set(ids).size !== ids.length) found.push("an id stands twice");
      for (const field of document.querySelectorAll("input, select, textarea")) {
        if (!field.labels?.length) found.push(`no label: ${field.outerHTML}`);
      }
      for (const named of document.querySelectorAll("button, a, summary, th")) {
        if (!named.textContent?.trim() && !named.getAttribute("aria-label"))
          found.push(`no name: ${named.outerHTML}`);
      }
      for (const head of document.querySelectorAll("th")) {
        if (!head.getAttribute("scope")) found.push(`no scope: ${head.outerHTML}`);
      }
      for (const attribute of ["aria-labelledby", "aria-describedby"]) {
        for (const element of document.querySelectorAll(`[${attribute}]`)) {
          if (!document.getElementById(element.getAttribute(attribute) ?? ""))
            found.push(`${attribute} of nothing`);
        }
      }
      // A text that scrolls must be reached by the keyboard.
      for (const element of document.querySelectorAll("main *")) {
        const { overflowX } = document.defaultView.getComputedStyle(element);
        if (overflowX === "auto" && element.scrollWidth > element.clientWidth && element.tabIndex < 0)
          found.push(`scrolls, but not by the keyboard: ${element.className}`);
      }
      return found;
    });
    expect(faults).toEqual([]);
  });

  it.each(["light", "dark"] as const)(
    "can be read in %s: every text has a contrast of 4.5 to 1",
    async (scheme) => {
      await ask("GET", "/nowhere");
      await ask("GET", "/ping");
      await using opened = await visit("", { colorScheme: scheme });
      const { page } = opened;
      const grounds: string[] = [];
      for (const name of views) {
        await page.getByRole("link", { name, exact: true }).click();
        await page.getByRole("heading", { name, level: 2 }).waitFor();
        await page.waitForResponse((response) => response.url().endsWith("/clock"));
        const { ground, poor } = await page.locator(":root").evaluate(({ ownerDocument: document }) => {
          const { getComputedStyle } = document.defaultView;

          const parts = (color: string) => (color.match(/[\d.]+/g) ?? []).map(Number);
          const luminance = (color: string) => {
            const [red = 0, green = 0, blue = 0] = parts(color).map((part) => {
              const share = part / 255;
              return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
            });
            return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
          };
          const groundOf = (element: typeof document.body | null): string => {
            if (!element) return "rgb(255, 255, 255)";
            const { backgroundColor } = getComputedStyle(element);
            return parts(backgroundColor)[3] === 0 ? groundOf(element.parentElement) : backgroundColor;
          };
          const poor: string[] = [];
          for (const element of document.querySelectorAll("body *")) {
            const own = [...element.childNodes].some(
              (node) => node.nodeType === 3 && node.textContent?.trim(),
            );
            if (!own || element.matches(":disabled, option")) continue;
            const [one, two] = [getComputedStyle(element).color, groundOf(element)].map(luminance);
            const [light, dark] = [Math.max(one ?? 0, two ?? 0), Math.min(one ?? 0, two ?? 0)];
            if ((light + 0.05) / (dark + 0.05) < 4.5) poor.push(element.outerHTML.slice(0, 100));
          }
          return { ground: groundOf(document.body), poor };
        });
        expect([name, poor]).toEqual([name, []]);
        grounds.push(ground);
      }
      expect(new Set(grounds).size).toBe(1);
      expect(grounds[0]).toBe(scheme === "light" ? "rgb(255, 255, 255)" : "rgb(20, 23, 27)");
    },
  );

  it("fits a narrow screen without scrolling sideways", async () => {
    await using opened = await visit("", { viewport: { width: 360, height: 700 } });
    const { page } = opened;
    for (const name of views) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.getByRole("heading", { name, level: 2 }).waitFor();
      await page.waitForResponse((response) => response.url().endsWith("/clock"));
      const width = await page.locator(":root").evaluate((root) => root.scrollWidth);
      expect([name, width]).toEqual([name, 360]);
    }
  });

  // The last: it empties the world.
  it("begins anew when the world is reset, and says so", async () => {
    await using opened = await visit();
    const { page } = opened;
    await ask("GET", "/calendars?limit=9");
    const old = page.getByRole("row").filter({ hasText: "/calendars?limit=9" });
    await old.first().waitFor();
    const { keys } = z
      .looseObject({ keys: z.looseObject({ admin: z.string() }) })
      .parse(await control("POST", "/reset", {}));
    await expect.poll(() => old.count()).toBe(0);
    await send("GET", "/api/v1/groups?limit=8", keys.admin);
    await page.getByRole("row").filter({ hasText: "/groups?limit=8" }).waitFor();
  });
});

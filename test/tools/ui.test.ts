import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { axeTimeout, findViolations } from "./axe.js";
import { findMissingPrograms } from "./programs.js";
import { beat, openPage, type PageUnderTest, views, visitAll } from "./ui-page.js";

const missing = findMissingPrograms("chromium");

// The project does not install a browser. Without one, the title of the skipped tests names the missing program.
describe.skipIf(missing !== undefined)("the web UI at /_emulator/ui, in Chromium", () => {
  let ui: PageUnderTest;
  beforeAll(async () => {
    ui = await openPage("--seed", "demo");
  });
  afterAll(() => ui?.close());

  it("a one-time link opens the page and disappears from the address bar", async () => {
    await using opened = await ui.visit();
    const { page } = opened;
    expect(page.url()).toBe(`${ui.emulator.startLine.url}/_emulator/ui`);
    await page.reload();
    await page.getByRole("heading", { name: "Overview", level: 2 }).waitFor();
    const otherContext = await ui.browser.newContext();
    const otherPage = await otherContext.newPage();
    const response = await otherPage.goto(page.url());
    expect(response?.status()).toBe(401);
    await otherPage.getByText("voxctl open emulator").waitFor();
    await otherContext.close();
  });

  it("the page's policy prevents scripts from inserting text as markup", async () => {
    await using opened = await ui.visit();
    const refused = await opened.page.locator("body").evaluate((body) => {
      const ways = [
        () => body.insertAdjacentHTML("beforeend", "<p id=markup></p>"),
        () => {
          const container = body.ownerDocument.createElement("div");
          container.innerHTML = "<p id=markup></p>";
          body.append(container);
        },
      ];
      return ways.map((way) => {
        try {
          way();
          return false;
        } catch {
          return true;
        }
      });
    });
    expect(refused).toEqual([true, true]);
    expect(await opened.page.locator("#markup").count()).toBe(0);
  });

  it("the page sends requests only to the emulator, and logs no console errors", async () => {
    await using opened = await ui.visit();
    const { page, requests, complaints } = opened;
    for (const name of views) {
      await page.getByRole("link", { name, exact: true }).click();
      await page.locator(`.nav a[aria-current=page]`).getByText(name).waitFor();
      await beat(page);
    }
    expect(complaints).toEqual([]);
    expect(requests.length).toBeGreaterThan(10);
    const externalRequests = requests.filter(
      (url) => !url.startsWith(`${ui.emulator.startLine.url}/`) && !/^(data|blob):/.test(url),
    );
    expect(externalRequests).toEqual([]);
  });

  it("the page can be used with only the keyboard", async () => {
    await using opened = await ui.visit("emulator");
    const { page } = opened;
    const focused = () =>
      page.locator(":focus").evaluate((element) => element.getAttribute("aria-label") ?? element.textContent);
    const visiblyFocused = () =>
      page.locator(":focus").evaluate((element) => {
        const { outlineStyle, outlineWidth } = element.ownerDocument.defaultView.getComputedStyle(element);
        return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 1;
      });
    const tabTo = async (name: string) => {
      for (let presses = 0; presses < 60; presses += 1) {
        await page.keyboard.press("Tab");
        const reached = await focused();
        expect([reached, await visiblyFocused()]).toEqual([reached, true]);
        if (reached === name) return;
      }
      throw new Error(`${name} is not reached with the Tab key`);
    };
    await page.keyboard.press("Tab");
    expect(await focused()).toBe("Skip to content");
    await page.keyboard.press("Enter");
    expect(await page.locator(":focus").getAttribute("id")).toBe("main");
    const before = await ui.controlObject("GET", "/clock");
    await tabTo("Advance by 1 h");
    await page.keyboard.press("Enter");
    // An irreversible action opens a prompt with the focus. Escape cancels the action.
    await page.getByRole("dialog", { name: "Move the clock?" }).waitFor();
    await page.keyboard.press("Escape");
    // The prompt is closed only after the dialog's element was removed.
    await page.locator("dialog").waitFor({ state: "detached" });
    expect(await ui.controlObject("GET", "/clock")).toEqual(before);
    expect(await focused()).toBe("Advance by 1 h");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    // Escape enables the button immediately, so Enter opens the prompt again.
    await Promise.all([page.keyboard.press("Escape"), page.keyboard.press("Enter")]);
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await expect.poll(async () => (await ui.controlObject("GET", "/clock"))["now"]).not.toBe(before["now"]);
    await page.getByRole("link", { name: "Faults" }).focus();
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Faults", level: 2 }).waitFor();
    // The Tab key continues from the heading into the view.
    expect(await focused()).toBe("Faults");
    await page.getByLabel("Operation").focus();
    await page.keyboard.type("ping");
    await page.keyboard.press("Enter");
    await page.getByRole("row").filter({ hasText: "ping" }).waitFor();
    await ui.control("DELETE", "/faults");
  });

  it("the page does not poll, and shows new events at once", async () => {
    await using opened = await ui.visit("requests");
    const { page, requests } = opened;
    await beat(page);
    await ui.ask("GET", "/ping");
    await page.locator("main tbody tr").first().waitFor();
    await beat(page);
    const before = requests.length;
    // A page that polls would send several requests during this wait.
    await page.waitForTimeout(2_500);
    // The page always has one pending request for changes, which it can also send during the wait.
    const more = requests.slice(before);
    expect(more.filter((url) => !url.includes("/_emulator/changes?after="))).toEqual([]);
    expect(more.length).toBeLessThan(2);
    const startedAt = performance.now();
    await ui.ask("GET", "/voices?limit=9");
    await page.getByRole("link", { name: "/api/v1/voices?limit=9" }).waitFor();
    // The page must not wait until the pending request times out.
    expect(performance.now() - startedAt).toBeLessThan(5_000);
  });

  it("the web UI keeps the focus while requests arrive", async () => {
    await using opened = await ui.visit("requests");
    const { page } = opened;
    await ui.ask("GET", "/voices?limit=3");
    const link = page.getByRole("link", { name: "/api/v1/voices?limit=3" }).first();
    await link.focus();
    await ui.ask("GET", "/voices?limit=4");
    await page.getByRole("link", { name: "/api/v1/voices?limit=4" }).first().waitFor();
    expect(await link.evaluate((element) => element.matches(":focus"))).toBe(true);
    await expect.poll(() => page.locator("#news").textContent()).toContain("/api/v1/voices?limit=");
  });

  it("the page reports that the connection to the emulator was lost or restored", async () => {
    await using opened = await ui.visit("faults");
    const { page } = opened;
    await page.route("**/_emulator/changes?*", (route) => route.abort());
    // This request ends the page's pending request for changes. The page's next request for changes fails.
    await ui.ask("GET", "/ping");
    await page.getByRole("alert").getByText("is not responding").waitFor();
    await page.unroute("**/_emulator/changes?*");
    await page.getByText("is not responding").waitFor({ state: "detached" });
  });

  const routes = [
    ...views.map((name) => name.toLowerCase()),
    "calls/$call",
    "requests/1",
    "requests/errors",
    "requests/webhooks",
    "requests/new",
    "calls?simulate=1",
    "resources/contacts",
    "resources/voices",
    "resources/assistants/$assistant",
    "resources/contacts/new",
    "raw/calls",
    "emulator/snapshots",
    "emulator/keys",
    "emulator/organizations",
  ];

  // `beforeAll` opens each view once and collects the findings for all tests.
  describe("every view of the web UI", () => {
    const seen = new Map<string, Seen>();
    beforeAll(async () => {
      await ui.ask("GET", "/ping");
      await ui.ask("GET", "/nowhere");
      await ui.ask("POST", "/contacts", { first_name: "x".repeat(500) });
      const [call, assistant] = await Promise.all(
        ["/calls?limit=1", "/assistants"].map((path) => ui.control("GET", path)),
      );
      const id = (rows: unknown) => (Array.isArray(rows) ? String(rows[0]?.id) : "");
      const named = new Map(
        routes.map((route) => [route.replace("$call", id(call)).replace("$assistant", id(assistant)), route]),
      );
      await visitAll(ui, [...named.keys()], async (page, route) => {
        seen.set(named.get(route) ?? route, await lookedAt(page));
      });
    }, axeTimeout);
    const at = (route: string): Seen => {
      const seenPage = seen.get(route);
      if (seenPage === undefined) throw new Error(`${route} was not opened`);
      return seenPage;
    };

    it.each(routes)("every view has landmarks, headings and accessible names: %s", (route) => {
      const [tab = ""] = route.split(/[/?]/);
      expect(at(route).structure).toEqual({
        landmarks: { banner: 1, main: 1, views: 1 },
        headings: { first: 1, second: 1, secondTakesFocusFromCodeOnly: true },
        language: "en",
        news: expect.toSatisfy((count: number) => count > 0),
        title: `${tab} · emulator`,
        faults: [],
      });
    });

    it("axe finds no violations in any view, in wide and narrow windows, in light and dark mode", () => {
      for (const route of routes) expect([route, at(route).violations]).toEqual([route, []]);
    });

    it.each([1280, 390] as const)(
      "in a window of %i pixels, only tables and tabs scroll sideways",
      (width) => {
        for (const route of routes) expect([route, at(route).over[width]]).toEqual([route, 0]);
      },
    );
  });
});

interface Seen {
  structure: {
    landmarks: Record<"banner" | "main" | "views", number>;
    headings: { first: number; second: number; secondTakesFocusFromCodeOnly: boolean };
    language: string | null;
    news: number;
    title: string;
    faults: string[];
  };
  violations: string[];
  /** Pixels by which the page is wider than the window, for each window width. */
  over: Record<1280 | 390, number>;
}

async function lookedAt(page: Page): Promise<Seen> {
  const over = () =>
    page.locator(":root").evaluate((root) => root.scrollWidth - root.ownerDocument.defaultView.innerWidth);
  await page.setViewportSize({ width: 1280, height: 844 });
  const [structure, wide] = [await structureOf(page), await over()];
  const violations = await findViolations(page);
  await page.setViewportSize({ width: 390, height: 844 });
  return { structure, violations, over: { 1280: wide, 390: await over() } };
}

async function structureOf(page: Page): Promise<Seen["structure"]> {
  const second = page.locator("main h2");
  return {
    landmarks: {
      banner: await page.getByRole("banner").count(),
      main: await page.getByRole("main").count(),
      views: await page.getByRole("navigation", { name: "Views" }).count(),
    },
    headings: {
      first: await page.getByRole("heading", { level: 1 }).count(),
      second: await second.count(),
      secondTakesFocusFromCodeOnly: await second.first().evaluate((element) => element.tabIndex === -1),
    },
    language: await page.locator("html").getAttribute("lang"),
    news: await page.locator("[role=status][aria-live=polite]").count(),
    title: (await page.title()).toLowerCase(),
    faults: await findFaults(page),
  };
}

/** Returns faults of the markup that axe does not detect. */
function findFaults(page: Page): Promise<string[]> {
  return page.locator(":root").evaluate(({ ownerDocument: document }) => {
    const faults: string[] = [];
    const ids = [...document.querySelectorAll("[id]")].map((element) => element.id);
    if (new Set(ids).size !== ids.length) faults.push("an id stands twice");
    for (const head of document.querySelectorAll("th")) {
      if (!head.getAttribute("scope")) faults.push(`no scope: ${head.outerHTML}`);
    }
    const regions = document.querySelectorAll("section[tabindex], nav, [role=region]");
    for (const region of regions) {
      if (!region.getAttribute("aria-label")) faults.push(`a region without a name: ${region.className}`);
    }
    for (const attribute of ["aria-labelledby", "aria-describedby"]) {
      for (const element of document.querySelectorAll(`[${attribute}]`)) {
        if (!document.getElementById(element.getAttribute(attribute) ?? ""))
          faults.push(`${attribute} of nothing`);
      }
    }
    return faults;
  });
}

import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { findMissingPrograms } from "./programs.js";
import { beat, openPage, type PageUnderTest, visitAll } from "./ui-page.js";

const missing = findMissingPrograms("chromium");

// The project does not install a browser. Without one, the title of the skipped tests names the missing program.
describe.skipIf(missing !== undefined)("navigation in the web UI, in Chromium", () => {
  let ui: PageUnderTest;
  beforeAll(async () => {
    ui = await openPage("--seed", "demo");
  });
  afterAll(() => ui?.close());

  it("with only the keyboard, the search finds resources, calls, requests, keys and API rules", async () => {
    await using opened = await ui.visit();
    const { page } = opened;
    await ui.ask("GET", "/voices?limit=77");
    const expected = {
      limits: "Limits",
      Praxiswissen: "Praxiswissen",
      "+49171392004": "→",
      "limit=77": "GET /api/v1/voices?limit=77",
      viewer: "viewer",
      "D-order": "D-order",
    };
    for (const [typed, title] of Object.entries(expected)) {
      await page.keyboard.press("/");
      await page.getByRole("combobox", { name: "Search everything" }).fill(typed);
      await page.getByRole("option").getByText(title).first().waitFor();
      await page.keyboard.press("Escape");
      await page.locator("dialog").waitFor({ state: "detached" });
    }
    await page.keyboard.press("/");
    await page.keyboard.type("Praxiswissen");
    await page.getByRole("option", { name: "Praxiswissen" }).first().waitFor();
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Praxiswissen", level: 2 }).waitFor();
  });

  it("a timeline mark that combines several events lists them as links", async () => {
    await using opened = await ui.visit("overview");
    const { page } = opened;
    const marks = page.getByRole("group", { name: "Calls" }).getByRole("button");
    expect(await marks.first().innerText()).toMatch(/^\d+$/);
    await marks.first().click();
    await page.locator("[aria-live] li a").first().click();
    await page.getByRole("list", { name: "Call timeline" }).waitFor();
  });

  it("arrow keys move between the marks of a timeline lane", async () => {
    await using opened = await ui.visit("overview");
    const { page } = opened;
    const marks = page.getByRole("group", { name: "Calls" }).getByRole("button");
    await marks.last().focus();
    await page.keyboard.press("ArrowLeft");
    expect(await marks.nth(-2).evaluate((mark) => mark.matches(":focus-visible"))).toBe(true);
    const reachable = await marks.evaluateAll((all) => all.filter((mark) => mark.tabIndex === 0).length);
    expect(reachable).toBe(1);
  });

  it("the page shows the stages of a call", async () => {
    await using opened = await ui.visit("calls");
    const { page } = opened;
    await page.getByRole("button", { name: "Simulate an incoming call" }).click();
    await page.getByRole("button", { name: "Call", exact: true }).click();
    const stages = page.getByRole("list", { name: "Call timeline" }).getByRole("listitem");
    await stages.nth(4).waitFor();
    expect(await stages.locator("strong").allInnerTexts()).toEqual([
      "Created",
      "Ringing",
      "Answered",
      "Ended",
      "Recording ready",
    ]);
    await page.getByRole("button", { name: "Jump to: Answered" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Move" }).click();
    await page.getByRole("button", { name: "Jump to: Ended" }).waitFor();
    expect(await stages.nth(2).getAttribute("aria-current")).toBe("step");
  });

  it("loading a recording with the keyboard moves the focus to the player", async () => {
    const calls = z
      .array(z.looseObject({ id: z.string(), recording: z.looseObject({ available: z.boolean() }) }))
      .parse(await ui.control("GET", "/calls?limit=50"));
    const recorded = calls.find(({ recording }) => recording.available);
    await using opened = await ui.visit(`calls/${recorded?.id}`);
    const { page } = opened;
    await page.getByRole("button", { name: "Load recording" }).focus();
    await page.keyboard.press("Enter");
    await page.locator("audio").waitFor();
    await expect.poll(() => page.locator("audio").evaluate((audio) => audio.matches(":focus"))).toBe(true);
  });

  it("the assistant form sends the fields of its webhook as one object", async () => {
    await using opened = await ui.visit("resources/assistants");
    const { page } = opened;
    await page.getByRole("link", { name: "Notdienst", exact: true }).click();
    await page.getByLabel("Enabled").check();
    await page.getByLabel("URL").fill("https://example.org/hook");
    await page.getByLabel("Headers").fill("X-Tenant: north");
    await page.getByLabel("Type").selectOption("bearer");
    await page.getByLabel("Secret").fill("s3cret");
    const sent = page.waitForRequest((request) => request.method() === "PATCH");
    await page.getByRole("button", { name: "Save" }).click();
    expect((await sent).postDataJSON()).toEqual({
      pre_call_webhook: {
        enabled: true,
        url: "https://example.org/hook",
        headers: { "X-Tenant": "north" },
        auth: { type: "bearer", secret: "s3cret" },
      },
    });
    await page.getByRole("status").getByText("Updated").waitFor();
  });

  it("the page's top bar fits windows from 320 to 1280 pixels", async () => {
    await using opened = await ui.visit("overview");
    const { page } = opened;
    for (const width of [320, 640, 961, 1280]) {
      await page.setViewportSize({ width, height: 844 });
      const bar = await page
        .getByRole("banner")
        .evaluate((banner) => [banner.scrollWidth - banner.clientWidth, banner.clientHeight < 100]);
      expect([width, ...bar]).toEqual([width, 0, true]);
    }
  });

  it("marks of the timeline don't overlap in a narrow window", async () => {
    await using opened = await ui.visit("overview");
    const { page } = opened;
    await page.setViewportSize({ width: 390, height: 844 });
    const marks = page.getByRole("group", { name: "Calls" }).getByRole("button");
    const measureMarks = () =>
      marks.evaluateAll((all) => {
        const boxes = all.map((mark) => mark.getBoundingClientRect());
        return {
          several: boxes.length > 1,
          overlaps: boxes.filter(({ right }, index) => right > (boxes[index + 1]?.left ?? right) + 1).length,
        };
      });
    await expect.poll(measureMarks).toEqual({ several: true, overlaps: 0 });
  });

  it("a narrow window shows whole rows of lists", async () => {
    await visitAll(
      ui,
      ["calls", "resources/contacts", "resources/voices", "emulator/keys"],
      async (page, route) => {
        await page.setViewportSize({ width: 390, height: 844 });
        const hidden = await page
          .locator(".scroll")
          .evaluateAll((all) => all.filter((list) => list.scrollWidth > list.clientWidth).length);
        expect([route, hidden]).toEqual([route, 0]);
      },
    );
  });

  it("in a narrow window, controls are at least 24 pixels high", async () => {
    await visitAll(ui, ["overview", "calls", "requests", "emulator/keys", "faults"], async (page, route) => {
      await page.setViewportSize({ width: 390, height: 844 });
      await beat(page);
      const small = await page.locator("button, select, input, nav a").evaluateAll((all) =>
        all
          .map((target) => ({ target, box: target.getBoundingClientRect() }))
          .filter(({ target, box }) => box.width > 1 && box.height < 24 && target.type !== "checkbox")
          .map(({ target }) => target.outerHTML.slice(0, 80)),
      );
      expect([route, small]).toEqual([route, []]);
      await page.getByRole("button", { name: "Menu" }).click();
      await page.getByRole("navigation", { name: "Views" }).getByRole("link", { name: "Limits" }).click();
      await page.getByRole("heading", { name: "Limits", level: 2 }).waitFor();
    });
  });
});

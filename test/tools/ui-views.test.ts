import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import * as z from "zod";
import { findMissingPrograms } from "./programs.js";
import { beat, openPage, type PageUnderTest } from "./ui-page.js";

const missing = findMissingPrograms("chromium");

const LoggedRequest = z.object({ id: z.number() });

// The project does not install a browser. Without one, the title of the skipped tests names the missing program.
describe.skipIf(missing !== undefined)("actions in the web UI, in Chromium", () => {
  let ui: PageUnderTest;
  beforeAll(async () => {
    ui = await openPage("--seed", "demo");
  });
  afterAll(() => ui?.close());

  const now = async () => Date.parse(String((await ui.controlObject("GET", "/clock"))["now"]));
  const yes = (page: Page, action: string) =>
    page.getByRole("dialog").getByRole("button", { name: action }).click();
  const mayCopy = { permissions: ["clipboard-read", "clipboard-write"] };
  const copied = (page: Page) =>
    page.locator(":root").evaluate((root) => root.ownerDocument.defaultView.navigator.clipboard.readText());

  it("the Calls view shows charts, filters its list and shows a call with its recording", async () => {
    await using opened = await ui.visit("calls");
    const { page, complaints } = opened;
    const rows = page.locator("main tbody tr");
    await rows.nth(49).waitFor();
    expect(await rows.count()).toBe(50);
    await page.getByText(/Calls by day/).waitFor();
    expect(await page.locator("svg.bars").first().locator("rect").count()).toBe(28);
    expect(await page.locator("svg.bars").last().locator("rect").count()).toBe(24);
    await page.getByRole("link", { name: "Older" }).click();
    await page.getByRole("link", { name: "Newest" }).click();
    await page.getByLabel("Assistant").selectOption({ label: "Notdienst" });
    await expect
      .poll(async () => new Set(await rows.locator("td:nth-child(5)").allInnerTexts()).size)
      .toBe(1);
    await rows.filter({ hasText: "recorded" }).first().getByRole("link").first().click();
    await page.locator(".dialogue li").nth(1).waitFor();
    await page.getByRole("heading", { name: "Analyses" }).waitFor();
    await page.getByRole("button", { name: "Load recording" }).click();
    await page.locator("svg.waveform").waitFor();
    const audio = page.locator("audio");
    expect(await audio.evaluate((element) => element.src)).toMatch(/^blob:/);
    // The button next to an utterance plays the recording from that utterance.
    const playButton = page.getByRole("button", { name: /^Play from/ }).nth(1);
    const [minutes = 0, seconds = 0] = (await playButton.innerText()).split(":").map(Number);
    await playButton.click();
    await expect
      .poll(() => audio.evaluate((element) => element.currentTime))
      .toBeGreaterThanOrEqual(minutes * 60 + seconds);
    await page.locator(".dialogue li[aria-current]").first().waitFor();
    expect(complaints).toEqual([]);
  });

  it("the Calls view erases a recording after a prompt", async () => {
    await using opened = await ui.visit("calls");
    const { page } = opened;
    await page.getByLabel("Key").selectOption({ label: "viewer" });
    await page
      .locator("main tbody tr")
      .filter({ hasText: "recorded" })
      .first()
      .getByRole("link")
      .first()
      .click();
    await page.getByRole("button", { name: "Erase…" }).click();
    await yes(page, "Erase");
    const refused = page.getByRole("alert", { name: "Refused" });
    await refused.getByText("403 forbidden", { exact: true }).waitFor();
    await refused.getByText(/public\.auth/).waitFor();
    await expect.poll(() => refused.innerText()).toMatch(/specified|assumed/);
    await page.getByLabel("Key").selectOption({ label: "admin" });
    await page.getByRole("button", { name: "Erase…" }).click();
    await yes(page, "Erase");
    await page.getByText("or was erased").waitFor();
  });

  it("the Calls view follows an inbound call to its end as the clock advances", async () => {
    await using opened = await ui.visit("calls");
    const { page } = opened;
    await page.getByRole("button", { name: "Simulate an incoming call" }).click();
    const form = page.getByRole("form", { name: "Simulate an incoming call" });
    await form.getByLabel("Assistant").selectOption({ label: "Empfang, +4932221000001" });
    await form.getByLabel("From number").fill("030");
    await form.getByRole("button", { name: "Call" }).click();
    await page.getByRole("alert").getByText("must be a phone number").waitFor();
    await form.getByLabel("From number").fill("+4915112345678");
    await form.getByRole("button", { name: "Call" }).click();
    await page.getByText("ringing …").waitFor();
    await page.getByText("praxis-sommer.example/hooks").waitFor();
    await page.getByRole("region", { name: "Prompt" }).getByText("Du nimmst Anrufe").waitFor();
    // The clock can't be moved back, so the page lists the events and asks for a confirmation.
    await page.getByRole("button", { name: "Advance by 5 s" }).click();
    await page.getByRole("dialog").getByText("a call is answered").waitFor();
    await page.getByLabel("Don't ask again").check();
    await yes(page, "Move");
    await page.getByText("in progress …").waitFor();
    await page.locator(".dialogue li").first().waitFor();
    await ui.control("PATCH", "/clock", { advance_seconds: 120 });
    await page.getByText("completed", { exact: true }).waitFor();
    expect(await page.locator(".dialogue li").count()).toBeGreaterThan(2);
    await page.getByRole("link", { name: "Requests", exact: true }).first().click();
    await page.getByRole("link", { name: "Webhooks", exact: true }).click();
    await page.getByRole("row").filter({ hasText: "praxis-sommer.example" }).first().waitFor();
  });

  it("the Resources view finds, creates, edits and deletes resources", async () => {
    await using opened = await ui.visit("resources/contacts");
    const { page, complaints } = opened;
    await page.getByRole("link", { name: "New contact" }).click();
    await page.getByRole("button", { name: "Create" }).click();
    const refused = page.getByRole("alert", { name: "Refused" });
    await refused.getByText("400 validation_failed").waitFor();
    await refused.getByText("A contact has").waitFor();
    expect(await page.getByLabel("First name").getAttribute("aria-invalid")).toBe("true");
    await page.getByLabel("Group").selectOption({ index: 1 });
    await page.getByLabel("First name").fill("Änne-Sophie");
    await page.getByLabel("Last name").fill("Müller-Lüdenscheidt");
    await page.getByLabel("Phone numbers").fill("+4915112345678\n+493012345678");
    await page.getByRole("button", { name: "Create" }).click();
    await page.getByRole("heading", { name: "Änne-Sophie Müller-Lüdenscheidt" }).waitFor();
    await page.getByLabel("Last name").fill("Lüdenscheidt");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("heading", { name: "Änne-Sophie Lüdenscheidt" }).waitFor();
    await page.getByRole("link", { name: "JSON", exact: true }).click();
    const json = page.getByLabel("JSON");
    await json.fill((await json.inputValue()).replace('"Lüdenscheidt"', '"Lüdenscheidt", "colour": "blue"'));
    await page.getByRole("button", { name: "Save" }).click();
    await refused.getByText("colour").first().waitFor();
    await json.fill("{");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("Invalid JSON").waitFor();
    await page.getByRole("link", { name: "Contacts", exact: true }).first().click();
    await page.getByLabel("Search").fill("lüdenscheidt");
    await page.waitForURL(/search=/);
    await page.getByRole("link", { name: "Änne-Sophie Lüdenscheidt" }).click();
    await page.getByRole("button", { name: "Delete…" }).click();
    await yes(page, "Delete");
    await page.getByRole("heading", { name: "Contacts" }).waitFor();
    await expect.poll(() => page.getByRole("link", { name: "Änne-Sophie Lüdenscheidt" }).count()).toBe(0);
    expect(complaints).toEqual([]);
  });

  it("the Resources view links references in both directions", async () => {
    await using opened = await ui.visit("resources/assistants");
    const { page } = opened;
    await page.getByRole("link", { name: "Empfang", exact: true }).click();
    await page.getByRole("link", { name: "Open Praxiswissen" }).click();
    await page.getByRole("heading", { name: "Praxiswissen" }).waitFor();
    await page.getByRole("link", { name: "Contents" }).click();
    await page.getByText("In Praxiswissen").waitFor();
    await page.locator("main tbody th a").first().click();
    await page.getByRole("button", { name: "Save" }).waitFor();
    await page.getByRole("link", { name: "Voices", exact: true }).click();
    await page.getByRole("row").filter({ hasText: "Clara" }).waitFor();
  });

  it("the Requests view searches, shows, copies and replays requests", async () => {
    await using opened = await ui.visit("requests", mayCopy);
    const { page } = opened;
    await ui.control("POST", "/faults", { kind: "error_before", operation: "groups.create", times: 1 });
    await ui.ask("POST", "/groups", { type: "contacts", name: "It's new" });
    const row = page.getByRole("row").filter({ hasText: "error_before" });
    await row.getByText("500").waitFor();
    await page.getByLabel("Search").fill("it's NEW");
    await page.waitForURL(/search=/);
    await row.getByRole("link", { name: "/api/v1/groups" }).click();
    await page.getByText("Bearer ***").waitFor();
    await page.getByText("error_before").waitFor();
    await page.getByRole("link", { name: "public.errors.6" }).waitFor();
    await page.getByRole("button", { name: "Copy as curl" }).click();
    const curl = await copied(page);
    expect(curl).toContain(`curl -X POST ${ui.emulator.startLine.url}/api/v1/groups`);
    expect(curl).toContain(`"It'\\''s new"`);
    await page.getByRole("button", { name: "Copy as voxctl" }).click();
    expect(await copied(page)).toMatch(/^voxctl api POST \/groups --data '/);
    await page.getByRole("button", { name: "Copy link" }).click();
    const link = await copied(page);
    await page.getByRole("button", { name: "Replay…" }).click();
    const before = await ui.control("GET", "/requests?limit=100");
    await page.getByRole("button", { name: "Send" }).click();
    await yes(page, "Send");
    await page
      .getByRole("form", { name: "Replay" })
      .getByRole("region", { name: "Response", exact: true })
      .getByText("201")
      .waitFor();
    const after = await ui.control("GET", "/requests?limit=100");
    expect(Array.isArray(after) && Array.isArray(before) && after.length - before.length).toBe(1);
    await page.getByRole("link", { name: "New request" }).click();
    await page.getByText("No body").waitFor({ state: "detached" });
    await page.goto(link);
    await page.getByText("Bearer ***").waitFor();
    await ui.control("DELETE", "/faults");
  });

  it("a replay sends the headers that change the response", async () => {
    await using opened = await ui.visit();
    const { page } = opened;
    const { url, keys } = ui.emulator.startLine;
    const newest = async () =>
      z.array(LoggedRequest).parse(await ui.control("GET", "/requests?limit=1"))[0]?.id;
    const headers = { authorization: `Bearer ${keys.admin}`, range: "bytes=0-9", "if-range": '"a"' };
    await fetch(`${url}/api/v1/ping`, { headers });
    await page.goto(`${url}/_emulator/ui#requests/${await newest()}`);
    await page.getByRole("button", { name: "Replay…" }).click();
    await page.getByRole("form", { name: "Replay" }).getByRole("button", { name: "Send" }).click();
    await page.getByRole("link", { name: "New request" }).waitFor();
    expect(await ui.control("GET", `/requests/${await newest()}`)).toMatchObject({
      request_headers: { "x-emulator-ui": "1", range: "bytes=0-9", "if-range": '"a"' },
    });
  });

  it("the Requests view groups errors and sends a custom request", async () => {
    await using opened = await ui.visit("requests/new");
    const { page } = opened;
    const form = page.getByRole("form", { name: "Request" });
    await form.getByLabel("Method").selectOption("POST");
    await form.getByLabel("Path").fill("/api/v1/prompts");
    await form.getByLabel("Body").fill('{"colour": "blue"}');
    for (const _ of ["once", "twice"]) {
      await form.getByRole("button", { name: "Send…" }).click();
      await yes(page, "Send");
      await form.getByText("400").waitFor();
    }
    await form.getByLabel("Method").selectOption("GET");
    await form.getByRole("button", { name: "Send" }).click();
    await form.getByText("200").waitFor();
    await ui.ask("POST", "/prompts", { colour: "blue" });
    await ui.ask("POST", "/prompts", { colour: "green" });
    await page.getByRole("link", { name: "Errors", exact: true }).click();
    // The two requests from the form are not counted, because the page sent them.
    const row = page.getByRole("row").filter({ hasText: "prompts.create" });
    await row.getByRole("link", { name: "2×" }).waitFor();
    await row.getByText("POST /api/v1/prompts").waitFor();
    await row
      .getByRole("link", { name: /^20\d\d-/ })
      .first()
      .click();
    await page.getByText('"green"').first().waitFor();
  });

  it("the Requests view pauses the list and omits the page's own requests", async () => {
    await using opened = await ui.visit("resources/assistants");
    const { page } = opened;
    await page.getByRole("link", { name: "Empfang", exact: true }).click();
    await page.getByRole("button", { name: "Save" }).waitFor();
    await page.getByRole("link", { name: "Requests", exact: true }).first().click();
    const rows = page.locator("main tbody tr");
    await ui.ask("GET", "/prompts?limit=6");
    await rows.filter({ hasText: "/prompts?limit=6" }).waitFor();
    expect(await rows.filter({ hasText: "/api/v1/assistants/" }).count()).toBe(0);
    await page.getByLabel("Include this page's requests").check();
    await rows.filter({ hasText: "/api/v1/assistants/" }).first().waitFor();
    await page.getByLabel("Paused").check();
    const notified = page.waitForResponse((response) => response.url().includes("/_emulator/changes?after="));
    await ui.ask("GET", "/prompts?limit=7");
    await notified;
    await beat(page);
    expect(await rows.filter({ hasText: "/prompts?limit=7" }).count()).toBe(0);
    await page.getByLabel("Paused").uncheck();
    await rows.filter({ hasText: "/prompts?limit=7" }).waitFor();
  });

  it("the Emulator view controls the clock and jumps to upcoming events", async () => {
    await using opened = await ui.visit("emulator");
    const { page } = opened;
    const clock = page.getByRole("region", { name: "Clock" });
    const first = await now();
    await clock.getByRole("button", { name: "Advance by 1 min" }).click();
    await page
      .getByRole("dialog")
      .getByText(/will occur|No events are due/)
      .waitFor();
    await yes(page, "Move");
    await expect.poll(now).toBe(first + 60_000);
    await page.getByRole("button", { name: "Next event" }).click();
    await page.getByText(/Move the clock|There is no next event/).waitFor();
    await page.keyboard.press("Escape");
    expect(await now()).toBe(first + 60_000);
    await clock.getByRole("button", { name: "Advance by 1 day" }).click();
    await page.getByLabel("Don't ask again").check();
    await yes(page, "Move");
    await expect.poll(now).toBe(first + 86_460_000);
    await ui.ask("GET", "/ping");
    await page.getByRole("button", { name: "Jump to: a rate limit's window ends" }).click();
    await expect.poll(now).toBe(first + 86_520_000);
    await clock.getByLabel("Time (UTC)").fill("2026-05-01 10:00:00");
    await clock.getByRole("button", { name: "Set" }).click();
    await expect.poll(now).toBe(Date.parse("2026-05-01T10:00:00Z"));
    await clock.getByRole("button", { name: "Run in real time…" }).click();
    await clock.getByText("running (real)").waitFor();
    await clock.getByRole("button", { name: "Freeze" }).click();
    await clock.getByText("frozen (virtual)").waitFor();
  });

  it("the Emulator view creates, uses, copies, revokes and deletes keys", async () => {
    await using opened = await ui.visit("emulator/keys", mayCopy);
    const { page } = opened;
    const form = page.getByRole("form", { name: "Create key" });
    await form.getByLabel("Name").fill("Prüfstand");
    await form.getByLabel("Role").selectOption("viewer");
    await form.getByRole("button", { name: "Create key" }).click();
    await page.getByText("Copy the value now").waitFor();
    await page.getByRole("button", { name: "Copy key Prüfstand" }).click();
    await expect.poll(() => copied(page)).toMatch(/^[\w-]{43}$/);
    await page.getByLabel("Key", { exact: true }).selectOption({ label: "Prüfstand" });
    await page.getByRole("button", { name: "Revoke key Prüfstand" }).click();
    await page.getByRole("button", { name: "Activate key Prüfstand" }).waitFor();
    await expect.poll(() => page.getByLabel("Key", { exact: true }).innerText()).not.toContain("Prüfstand");
    await page.getByRole("button", { name: "Delete key Prüfstand" }).click();
    await yes(page, "Delete");
    await page.getByRole("button", { name: "Delete key Prüfstand" }).waitFor({ state: "detached" });
    await page.getByRole("link", { name: "Organizations" }).click();
    await page.locator("summary", { hasText: "Havel IT-Systemhaus GmbH" }).click();
    await page.locator("summary", { hasText: /Zahnarztpraxis Dr\. Sommer.*contacts/ }).waitFor();
  });

  it("the Emulator view creates, exports and restores snapshots", async () => {
    await using opened = await ui.visit("emulator/snapshots");
    const { page } = opened;
    await page.getByRole("form", { name: "Create snapshot" }).getByLabel("Name").fill("vorher");
    await page.getByRole("button", { name: "Create snapshot" }).click();
    await page.getByRole("button", { name: "Restore vorher" }).waitFor();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Export vorher" }).click();
    const file = await (await download).path();
    await page.getByLabel("Import snapshot").setInputFiles({
      name: "vom Kollegen.json",
      mimeType: "application/json",
      buffer: await readFile(file),
    });
    await page.getByRole("button", { name: "Restore vom Kollegen" }).waitFor();
    await page.getByLabel("Import snapshot").setInputFiles({
      name: "x.json",
      mimeType: "application/json",
      buffer: Buffer.from("no"),
    });
    await page.getByRole("alert").getByText("invalid JSON").waitFor();
    await page.getByLabel("Initial data").selectOption("empty");
    await page.getByRole("button", { name: "Reset…" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Cancel" }).click();
    expect(await ui.control("GET", "/resources/contacts?limit=1")).toHaveLength(1);
    await page.getByRole("button", { name: "Reset…" }).click();
    await yes(page, "Reset");
    await page.getByText("The emulator was reset or restored").waitFor();
    expect(await ui.control("GET", "/resources/contacts?limit=1")).toHaveLength(0);
    const replaced = await page.getByRole("button", { name: "Restore vorher" }).elementHandle();
    await page.getByRole("button", { name: "Restore vorher" }).click();
    await yes(page, "Restore");
    await expect.poll(() => ui.control("GET", "/resources/contacts?limit=1")).toHaveLength(1);
    // After a restore, the page replaces its view. A click during the replacement would have no effect.
    await replaced?.waitForElementState("hidden");
    for (const name of ["vorher", "vom Kollegen"]) {
      await page.getByRole("button", { name: `Delete ${name}` }).click();
      await yes(page, "Delete");
    }
    await page.getByText("No snapshots yet").waitFor();
  });

  it("the Faults view adds, counts and removes faults", async () => {
    await using opened = await ui.visit("faults");
    const { page } = opened;
    await page.getByRole("button", { name: "Add fault: Broken response" }).click();
    await page.getByRole("row").filter({ hasText: "garbage" }).waitFor();
    await page.getByRole("button", { name: "Remove all…" }).click();
    await yes(page, "Remove all");
    await page.getByText("No active faults").waitFor();
    const form = page.getByRole("form", { name: "Add another fault" });
    await form.getByLabel("Operation").fill("groups.list");
    await form.getByLabel("Times").fill("2");
    await form.getByRole("button", { name: "Add fault" }).click();
    const row = page.getByRole("row").filter({ hasText: "groups.list" });
    await row.getByText("2 times").waitFor();
    expect((await ui.ask("GET", "/groups")).status).toBe(500);
    await expect.poll(() => row.getByRole("cell").nth(2).innerText()).toBe("1");
    await row.getByRole("button", { name: "Remove fault error_before: groups.list" }).click();
    await page.getByText("No active faults").waitFor();
    // The form shows the field for the delay's length only for the type `delay`.
    expect(await form.getByLabel("Delay (ms)").count()).toBe(0);
    await form.getByLabel("Type").selectOption("delay");
    await form.getByText("with the emulator's clock").waitFor();
    await form.getByLabel("Delay (ms)").fill("5");
    await form.getByRole("button", { name: "Add fault" }).click();
    await page.getByText("by 5 ms").waitFor();
    await page.getByRole("button", { name: "Remove all…" }).click();
    await yes(page, "Remove all");
    await page.getByText("No active faults").waitFor();
  });

  it("the Limits and Rules views show remaining requests and covered API rules", async () => {
    await using opened = await ui.visit("limits");
    const { page } = opened;
    const unused = page.getByRole("region", { name: "Limits that are not in use" });
    await unused.getByRole("row").filter({ hasText: "viewer" }).getByText("read 1,000, write 200").waitFor();
    await ui.ask("GET", "/groups", undefined, "viewer");
    const used = page.getByRole("region", { name: "Limits in use" }).getByRole("row");
    await used
      .filter({ hasText: /^viewer\s*public\s*read/ })
      .getByText("999 of 1000")
      .waitFor();
    expect(await used.filter({ hasText: "caller" }).count()).toBe(0);
    await ui.ask("GET", "/nowhere");
    await page.getByRole("link", { name: "Rules" }).click();
    await page.getByText(/covered \d+ of/).waitFor();
    await page.getByLabel("Search").fill("D-order");
    const rules = page.getByRole("region", { name: "API rules" }).locator("tbody tr");
    await expect.poll(() => rules.first().innerText()).toContain("D-order");
    await rules
      .first()
      .getByText(/covered by \d+ request/)
      .waitFor();
    await page.getByLabel("Coverage").selectOption("unmet");
    await expect.poll(() => rules.getByText("covered by").count()).toBe(0);
  });

  it("the Raw view shows tables of the file, page by page", async () => {
    await using opened = await ui.visit("raw");
    const { page } = opened;
    // The link `calls` opens the table, and the tab "Calls" opens another view.
    await page.getByRole("main").getByRole("link", { name: "calls", exact: true }).click();
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

  it("the Raw view shows all rows of a table, even if long values make its pages shorter", async () => {
    await ui.control("DELETE", "/requests");
    const name = "n".repeat(15_000);
    for (let count = 0; count < 45; count += 1) await ui.ask("POST", "/groups", { type: "contacts", name });
    await using opened = await ui.visit("raw/requests");
    const { page } = opened;
    const shown = page.getByText(/^rows \d+ to \d+/);
    await shown.waitFor();
    const end = Number(/to (\d+)/.exec(await shown.innerText())?.[1]);
    expect(end).toBeLessThan(45);
    await page.getByRole("button", { name: "Older" }).click();
    await page.getByText(`rows ${end + 1} to 45`).waitFor();
    expect(await page.getByRole("button", { name: "Older" }).isDisabled()).toBe(true);
  });

  it("the Requests view marks a copied command as incomplete if the log omits a part", async () => {
    await using opened = await ui.visit("requests", mayCopy);
    const { page } = opened;
    const bodies: object[] = [
      { secret: "s", list: Array.from({ length: 20_001 }, () => 1) },
      { url: "https://me:password@example.org/" },
    ];
    for (const body of bodies) {
      await ui.ask("POST", "/tools", body);
      const [newest] = z.array(LoggedRequest).parse(await ui.control("GET", "/requests?limit=1&page=false"));
      await page.goto(`${ui.emulator.startLine.url}/_emulator/ui#requests/${newest?.id}`);
      await page.getByRole("button", { name: "Copy as curl" }).click();
      await page.getByText("The command is incomplete").waitFor();
      await page.getByRole("button", { name: "Replay…" }).click();
      await page.getByText("Before you send the request").waitFor();
    }
  });

  it("a copied curl command has the key of the request's API", async () => {
    await using opened = await ui.visit("requests", mayCopy);
    const { page } = opened;
    const { url, keys } = ui.emulator.startLine;
    const copyOf = async (path: string, key: string, method = "GET") => {
      await fetch(url + path, { method, headers: { authorization: `Bearer ${key}` } });
      const [newest] = z.array(LoggedRequest).parse(await ui.control("GET", "/requests?limit=1&page=false"));
      await page.goto(`${url}/_emulator/ui#requests/${newest?.id}`);
      await page.getByRole("heading", { name: path }).waitFor();
      await page.getByRole("button", { name: "Copy as curl" }).click();
      return copied(page);
    };
    expect(await copyOf("/api/distributor/v2/organizations", keys.distributor_v2)).toContain(
      '"Authorization: Bearer $VOXCTL_DISTRIBUTOR_KEY"',
    );
    expect(await copyOf("/api/v1/outbound/call", keys.legacy, "POST")).toContain("$VOXCTL_LEGACY_KEY");
    const head = await copyOf("/api/v1/ping", keys.admin, "HEAD");
    expect(head).toContain(`curl -I ${url}/api/v1/ping`);
    expect(head).toContain("$VOXCTL_API_KEY");
  });

  it('"Copy as voxctl" copies the whole query', async () => {
    await using opened = await ui.visit("requests", mayCopy);
    const { page } = opened;
    const { url, keys } = ui.emulator.startLine;
    const show = async (path: string, method: string) => {
      await fetch(url + path, { method, headers: { authorization: `Bearer ${keys.admin}` } });
      const [newest] = z.array(LoggedRequest).parse(await ui.control("GET", "/requests?limit=1&page=false"));
      await page.goto(`${url}/_emulator/ui#requests/${newest?.id}`);
      await page.getByRole("heading", { name: `${method} ${path}` }).waitFor();
    };
    await show("/api/v1/contacts?search=who?&limit=1", "GET");
    await page.getByRole("button", { name: "Copy as voxctl" }).click();
    expect(await copied(page)).toBe("voxctl api GET '/contacts?search=who?&limit=1'");
    await show("/api/v1/ping", "HEAD");
    await page.getByRole("button", { name: "Copy as curl" }).waitFor();
    expect(await page.getByRole("button", { name: "Copy as voxctl" }).count()).toBe(0);
  });

  it("the Requests view links to requests beyond the newest 500", async () => {
    await ui.control("DELETE", "/requests");
    await using opened = await ui.visit("requests");
    const { page } = opened;
    await page.getByText("No requests yet").waitFor();
    for (let count = 0; count <= 500; count += 1) await ui.ask("GET", `/ping?n=${count}`);
    await page.getByRole("link", { name: "n=500", exact: false }).waitFor();
    await page.getByRole("link", { name: "Older" }).click();
    await page.getByRole("link", { name: "/api/v1/ping?n=0", exact: true }).waitFor();
  });

  it("the Emulator view shows a key that can't be copied", async () => {
    await using opened = await ui.visit("emulator/keys");
    const { page } = opened;
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })");
    await page.getByRole("button", { name: "Copy key viewer" }).click();
    await page.getByText(ui.emulator.startLine.keys.viewer).waitFor();
    expect(await page.locator("#news").innerText()).toBe(
      "The browser blocked copying. Copy key viewer manually.",
    );
    await page.getByLabel("Type").selectOption("distributor");
    await page.getByRole("form", { name: "Create key" }).getByRole("button", { name: "Create key" }).click();
    await page.getByText("Copy the value now").waitFor();
    await page.getByRole("link", { name: "Snapshots" }).click();
    await page.getByLabel("New keys").check();
    await page.getByRole("button", { name: "Reset…" }).click();
    await page.getByRole("dialog").getByText("All data and keys will be lost").waitFor();
  });
});

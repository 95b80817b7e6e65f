import type { Browser, Page } from "playwright-core";
import * as z from "zod";
import { type BuiltEmulator, startBuiltEmulator } from "./built-emulator.js";
import { launchChromium } from "./chromium.js";

export const views = [
  "Overview",
  "Calls",
  "Resources",
  "Requests",
  "Emulator",
  "Faults",
  "Limits",
  "Rules",
  "Raw",
];

const Body = z.object({ data: z.unknown() });
const Fields = z.looseObject({ id: z.unknown(), path: z.unknown() }).partial();

type ControlObject = z.output<typeof Fields>;

interface Visit {
  page: Page;
  requests: string[];
  /** Errors in the browser's console and uncaught errors of the page. */
  complaints: string[];
  [Symbol.asyncDispose](): Promise<void>;
}

/** The built emulator, with a browser on its page. */
export interface PageUnderTest {
  emulator: BuiltEmulator;
  browser: Browser;
  ask(
    method: string,
    path: string,
    body?: object,
    role?: "admin" | "viewer",
  ): Promise<{ status: number; body: unknown }>;
  /** Sends a control request. Returns the `data` of the response. */
  control(method: string, path: string, body?: object): Promise<unknown>;
  /** Like `control`, for a response whose `data` is an object. */
  controlObject(method: string, path: string, body?: object): Promise<ControlObject>;
  visit(route?: string, options?: Parameters<Browser["newContext"]>[0]): Promise<Visit>;
  close(): Promise<void>;
}

export async function openPage(...parameters: string[]): Promise<PageUnderTest> {
  const emulator = await startBuiltEmulator("--clock", "2026-03-02T09:00:00Z", ...parameters);
  const browser = await launchChromium();
  const { url, keys, control_token } = emulator.startLine;

  async function send(method: string, path: string, key: string, body?: object) {
    const response = await fetch(url + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    // The connection is free for the next request only after its body has been read.
    return { status: response.status, body: await response.json() };
  }
  const control: PageUnderTest["control"] = async (method, path, body) =>
    Body.parse((await send(method, `/_emulator${path}`, control_token, body)).body).data;
  const controlObject: PageUnderTest["controlObject"] = async (method, path, body) =>
    Fields.parse(await control(method, path, body));

  return {
    emulator,
    browser,
    ask: (method, path, body, role = "admin") => send(method, `/api/v1${path}`, keys[role], body),
    control,
    controlObject,
    async visit(route = "", options = {}) {
      const context = await browser.newContext({ viewport: { width: 1280, height: 850 }, ...options });
      const page = await context.newPage();
      const requests: string[] = [];
      const complaints: string[] = [];
      page.on("request", (request) => requests.push(request.url()));
      page.on("console", (message) => {
        // Chromium logs every refused request as an error, but the page handles it.
        if (/^Failed to load resource: the server responded with a status of 4\d\d/.test(message.text()))
          return;
        if (["error", "warning"].includes(message.type())) complaints.push(message.text());
      });
      page.on("pageerror", (error) => complaints.push(error.message));
      page.on("requestfailed", (request) => {
        // The pending request for changes is aborted when the page is left.
        if (request.url().includes("/_emulator/changes?after=")) return;
        // A player that seeks aborts its request for the recording, which is a blob in the page's memory.
        if (!request.url().startsWith("blob:"))
          complaints.push(`${request.url()} ${request.failure()?.errorText}`);
      });
      const { path } = await controlObject("POST", "/ui-tickets");
      await page.goto(`${url}${path}${route && `#${route}`}`);
      await page.locator("main h2").waitFor();
      await page.locator("#clock time").waitFor();
      return { page, requests, complaints, [Symbol.asyncDispose]: () => context.close() };
    },
    async close() {
      await browser.close();
      await emulator.stop();
    },
  };
}

/** Number of pages that are open at once. Opening each page takes half a second of CPU time. */
const pagesAtOnce = 3;

/**
 * Checks views of the page, several at a time.
 * @returns all requests and console errors of the pages
 */
export async function visitAll(
  ui: PageUnderTest,
  routes: readonly string[],
  look: (page: Page, route: string) => Promise<void>,
): Promise<Pick<Visit, "requests" | "complaints">> {
  const remaining = [...routes];
  const requests: string[] = [];
  const complaints: string[] = [];
  const visitRemaining = async (first: string | undefined) => {
    await using opened = await ui.visit(first);
    for (let route = first; route !== undefined; route = remaining.shift()) {
      if (route !== first) await opened.page.goto(`${ui.emulator.startLine.url}/_emulator/ui#${route}`);
      await opened.page.locator("main h2").first().waitFor();
      await beat(opened.page);
      await look(opened.page, route);
    }
    requests.push(...opened.requests);
    complaints.push(...opened.complaints);
  };
  await Promise.all(remaining.splice(0, pagesAtOnce).map(visitRemaining));
  return { requests, complaints };
}

/** Waits until the view has read and drawn its data. */
export async function beat(page: Page): Promise<void> {
  await page.locator(":root").evaluate(
    ({ ownerDocument: { defaultView: view } }) =>
      new Promise<void>((resolve) => {
        // After a view is drawn, its effects run in the next frame and read data.
        view.requestAnimationFrame(() => view.setTimeout(resolve, 60));
      }),
  );
  await page.getByText("Reading…").first().waitFor({ state: "detached" });
}

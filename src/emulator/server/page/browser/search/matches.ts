import type { IconName } from "../../../../../base/design/icons.js";
import type { App } from "../context.js";
import { decodeAddress, formatMoment, shorten } from "../format.js";
import { resourceTypes } from "../resources/resource-types.js";
import { formatHref } from "../route.js";
import { type Row, rowsOf, text } from "../rows.js";
import type { Tab } from "../tab.js";

export interface Match {
  icon: IconName;
  title: string;
  about: string;
  href: string;
}

const perType = 4;

export function findTabs(tabs: readonly Tab[], typed: string): Match[] {
  const all: Match[] = [
    ...tabs.map(({ name, title }) => ({ icon: name, title, about: "View", href: `#${name}` })),
    ...resourceTypes.map(({ name, title }): Match => {
      return { icon: "resources", title, about: "Resources", href: formatHref("resources", [name]) };
    }),
  ];
  const words = typed.trim().toLowerCase();
  if (words === "") return all.slice(0, tabs.length);
  return all.filter(({ title }) => title.toLowerCase().includes(words)).slice(0, perType);
}

export async function searchAll(app: App, search: string, organization: string): Promise<Match[]> {
  const found = await Promise.all([
    ...resourceTypes.map(({ name, noun }) => searchResources(app, name, noun, search, organization)),
    searchCalls(app, search, organization),
    searchRequests(app, search),
    searchKeys(app, search),
    searchRules(app, search),
  ]);
  return found.flat();
}

async function read(
  app: App,
  path: "/calls" | "/requests" | `/resources/${string}`,
  query: Readonly<Record<string, string>>,
): Promise<Row[]> {
  const search = new URLSearchParams({ limit: String(perType), ...query });
  return rowsOf(await app.control.get(`${path}?${search}`));
}

async function searchResources(app: App, name: string, noun: string, search: string, organization: string) {
  if (organization === "") return [];
  const rows = await read(app, `/resources/${name}`, { search, organization_id: organization });
  return rows.map((row): Match => {
    const about = [noun, text(row, "about")].filter(Boolean).join(", ");
    const href = formatHref("resources", [name, text(row, "id")]);
    return {
      icon: "resources",
      title: shorten(text(row, "name") || text(row, "id")),
      about: shorten(about, 60),
      href,
    };
  });
}

async function searchCalls(app: App, search: string, organization: string): Promise<Match[]> {
  const number = search.replaceAll(/[^\d]/g, "");
  if (number.length < 3 || organization === "") return [];
  const rows = await read(app, "/calls", { number, organization_id: organization });
  return rows.map((row) => ({
    icon: "calls",
    title: `${text(row, "from") || "?"} → ${text(row, "to") || "?"}`,
    about: `call, ${formatMoment(text(row, "created_at"))}`,
    href: formatHref("calls", [text(row, "id")]),
  }));
}

async function searchRequests(app: App, search: string): Promise<Match[]> {
  const rows = await read(app, "/requests", { search, brief: "true", page: "false" });
  return rows.map((row) => ({
    icon: "requests",
    title: shorten(`${text(row, "method")} ${decodeAddress(text(row, "path"))}`),
    about: `request, ${text(row, "status")}`,
    href: formatHref("requests", [text(row, "id")]),
  }));
}

async function searchKeys({ api }: App, search: string): Promise<Match[]> {
  return api
    .keys()
    .filter(({ name }) => name.toLowerCase().includes(search.toLowerCase()))
    .slice(0, perType)
    .map(({ id, name, kind }) => ({
      icon: "emulator",
      title: name,
      about: `${kind} key`,
      href: formatHref("emulator", ["keys"], { key: id }),
    }));
}

async function searchRules({ rulebook }: App, search: string): Promise<Match[]> {
  const words = search.toLowerCase();
  const matching = (await rulebook.all()).filter((rule) =>
    `${text(rule, "id")} ${text(rule, "text")}`.toLowerCase().includes(words),
  );
  return matching.slice(0, perType).map((rule) => ({
    icon: "rules",
    title: text(rule, "id"),
    about: shorten(text(rule, "text"), 60),
    href: formatHref("rules", [text(rule, "id")]),
  }));
}

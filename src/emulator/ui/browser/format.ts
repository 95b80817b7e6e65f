import { h } from "./dom.js";

/** `2026-03-02 09:01:30`, in UTC as the API's times are. */
export function moment(iso: string): string {
  return iso.slice(0, 19).replace("T", " ");
}

/** A time as an element: short to read, whole for machines and on hovering. */
export function time(iso: string, short = moment(iso)): HTMLElement | null {
  return iso === "" ? null : h("time", { datetime: iso, title: `${moment(iso)} UTC` }, short);
}

/** A body as it is read best: indented where it is JSON. */
export function body(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** A sentence in which what stands between back-ticks is code. */
export function sentence(text: string): (Node | string)[] {
  return text.split("`").map((part, index) => (index % 2 === 1 ? h("code", {}, part) : part));
}

/** A longer text in so many characters. */
export function short(text: string, length = 80): string {
  return text.length > length ? `${text.slice(0, length - 1)}…` : text;
}

/** `1 request`, `2 requests` */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}

import { escapeMarkup } from "../../base/markup.js";

export interface Chart {
  title: string;
  marking?: string;
  bars: readonly Bar[];
}

interface Bar {
  label: string;
  value: number;
  marked: number;
}

/** A number follows each bar, so the longest bar leaves space for the number. */
export function formatChart({ marking = "", bars }: Chart): string {
  const largest = Math.max(1, ...bars.map(({ value }) => value));
  const rows = bars.map(({ label, value, marked }) => {
    const part = marked > 0 ? `, <span class="bad">${marked} ${escapeMarkup(marking)}</span>` : "";
    return (
      `<div><dt>${escapeMarkup(label)}</dt><dd>` +
      `<svg aria-hidden="true" fill="currentColor" height="0.75em" style="width:calc((100% - 9rem) * ${value / largest})">` +
      `<rect class="accent" width="100%" height="100%"/><rect class="bad" width="${(marked / Math.max(1, value)) * 100}%" height="100%"/></svg> ` +
      `${value}${part}</dd></div>`
    );
  });
  return `<dl>${rows.join("")}</dl>`;
}

/** Formats charts as self-contained SVG without scripts. */
import { escapeMarkup } from "../../base/markup.js";

export interface Bar {
  label: string;
  value: number;
  /** Highlighted part of the value, such as missed calls. */
  marked: number;
}

const width = 720;
const height = 200;
const bottom = 24;
const top = 16;

/** Formats a bar chart. The title of each bar contains its numbers, for tooltips and screen readers. */
export function formatBarChart(title: string, bars: readonly Bar[]): string {
  const largest = Math.max(1, ...bars.map(({ value }) => value));
  const step = width / Math.max(1, bars.length);
  const scale = (value: number) => (value / largest) * (height - top - bottom);
  const drawn = bars.map(({ label, value, marked }, index) => {
    const x = index * step + step * 0.15;
    const w = step * 0.7;
    const y = height - bottom - scale(value);
    const caption = `${label}: ${value} calls, ${marked} highlighted`;
    const every = Math.ceil(bars.length / 16);
    const text =
      index % every === 0
        ? `<text class="faint" x="${formatNumber(x + w / 2)}" y="${height - 8}" text-anchor="middle">${escapeMarkup(label)}</text>`
        : "";
    return (
      `<g><title>${escapeMarkup(caption)}</title>` +
      `<rect class="accent" x="${formatNumber(x)}" y="${formatNumber(y)}" width="${formatNumber(w)}" height="${formatNumber(scale(value))}"/>` +
      `<rect class="bad" x="${formatNumber(x)}" y="${formatNumber(height - bottom - scale(marked))}" width="${formatNumber(w)}" height="${formatNumber(scale(marked))}"/>` +
      `${text}</g>`
    );
  });
  return (
    `<svg role="img" aria-label="${escapeMarkup(title)}" fill="currentColor" viewBox="0 0 ${width} ${height}">` +
    `<line class="faint" stroke="currentColor" x1="0" x2="${width}" y1="${height - bottom}" y2="${height - bottom}"/>` +
    `<text class="faint" x="0" y="12">${largest}</text>${drawn.join("")}</svg>`
  );
}

function formatNumber(value: number): string {
  return String(Math.round(value * 10) / 10);
}

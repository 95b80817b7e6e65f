import { type IconName, icons } from "../../../../../base/design/icons.js";

/** Screen readers skip icons, so a text or label must name the control. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={icons[name]} />
    </svg>
  );
}

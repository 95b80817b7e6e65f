import { type IconName, icons } from "../../../../../base/design/icons.js";

/** An icon next to text, or in a control that has a name. */
export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d={icons[name]} />
    </svg>
  );
}

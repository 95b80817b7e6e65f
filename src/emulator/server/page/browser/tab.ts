import type { IconName } from "../../../../base/design/icons.js";

/** An entry of the navigation. Its name is also the name of its icon and the first part of its location. */
export interface Tab {
  name: IconName;
  title: string;
  /** Whether a gap separates the tab from the previous one. */
  isApart?: boolean;
}

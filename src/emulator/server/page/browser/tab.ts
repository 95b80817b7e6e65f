import type { IconName } from "../../../../base/design/icons.js";

/** `name` also selects the tab's icon, and is the first part of the tab's URL fragment. */
export interface Tab {
  name: IconName;
  title: string;
  isApart?: boolean;
}

import { Heading } from "../parts/basics.js";
import { Clock } from "./clock.js";
import { Keys } from "./keys.js";
import { Organizations } from "./organizations.js";
import { Reset, Snapshots } from "./snapshots.js";

/** The "Emulator" tab, with clock, snapshots, keys and organizations. */
export function EmulatorView() {
  return (
    <section aria-labelledby="emulator-heading">
      <Heading id="emulator-heading">Emulator</Heading>
      <div class="halves">
        <div>
          <Clock />
          <Snapshots />
          <Reset />
        </div>
        <Keys />
      </div>
      <Organizations />
    </section>
  );
}

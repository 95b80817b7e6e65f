import { Heading } from "../parts/basics.js";
import { Clock } from "./clock.js";
import { Keys } from "./keys.js";
import { Organizations } from "./organizations.js";
import { Reset, Snapshots } from "./snapshots.js";

/** The tab of the world as a whole: its time, its past states, who may ask it, and who is in it. */
export function EmulatorView() {
  return (
    <section aria-labelledby="world-heading">
      <Heading id="world-heading">World</Heading>
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

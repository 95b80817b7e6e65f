import { render } from "preact";
import { App } from "./app.js";

const root = document.getElementById("page");
if (!root) throw new Error("the page has no root element");
// The one-time ticket in the URL can't be used again, so remove it from the browser's history.
if (location.search !== "") history.replaceState(null, "", location.pathname + location.hash);
render(<App />, root);

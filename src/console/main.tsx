import { render } from "solid-js/web";

render(() => <h1>Hello</h1>, document.getElementById("console") as HTMLElement);

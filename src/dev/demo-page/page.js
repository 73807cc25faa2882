const log = document.querySelector("#events");

function note(name, detail) {
  const line = document.createElement("li");
  const shown = detail?.access_token ? { ...detail, access_token: `${detail.access_token.slice(0, 12)}…` } : detail;
  line.textContent = shown === undefined ? name : `${name} ${JSON.stringify(shown)}`;
  log.append(line);
}

function listen() {
  for (const name of ["session", "open", "close", "message", "error"]) {
    window.Switchboard.on(name, (detail) => note(name, detail));
  }
}

if (window.Switchboard) listen();
else addEventListener("switchboard:ready", listen);

document.querySelector("#open").addEventListener("click", () => window.Switchboard?.open());
document.querySelector("#identify").addEventListener("click", async () => {
  const { visitor_token } = await (await fetch("/visitor-token", { method: "POST" })).json();
  await window.Switchboard?.identify(visitor_token);
});

// Adds a copy button to each block of code, unless the page may not write to the clipboard (http, not localhost).
if (navigator.clipboard) {
  for (const block of document.querySelectorAll("pre")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", async () => {
      const done = await navigator.clipboard.writeText(block.textContent).then(
        () => "Copied",
        () => "Not copied",
      );
      button.textContent = done;
      setTimeout(() => {
        button.textContent = "Copy";
      }, 2000);
    });
    const frame = document.createElement("div");
    frame.className = "code";
    block.replaceWith(frame);
    frame.append(block, button);
  }
}

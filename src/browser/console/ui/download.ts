/** How long a saved file's object URL is kept, ms. */
const KEPT_MS = 10_000;

/** Saves a loaded file under this name. */
export function saveAs(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  saveFrom(url, name);
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

/** Saves the file at a URL under this name. */
export function saveFrom(url: string, name: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}

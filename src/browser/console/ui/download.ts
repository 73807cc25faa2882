/** How long a saved file's object URL is kept, ms. */
const KEPT_MS = 10_000;

export function saveAs(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  saveFrom(url, name);
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

export function saveFrom(url: string, name: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}

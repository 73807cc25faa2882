/** For how long the address of a file is kept that is being saved, ms. */
const KEPT_MS = 10_000;

/** Has the browser save what was loaded, under this name. */
export function saveAs(file: Blob, name: string): void {
  const url = URL.createObjectURL(file);
  saveFrom(url, name);
  setTimeout(() => URL.revokeObjectURL(url), KEPT_MS);
}

/** Has the browser save what is at an address, under this name. */
export function saveFrom(url: string, name: string): void {
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
}

import { Knowledge as Operations } from "../operations.ts";
import type { Schema } from "../types.ts";
import { type UploadOptions, upload } from "../upload.ts";

/** Documents that agents answer from. */
export class Knowledge extends Operations {
  /**
   * Uploads a file, which is read in the background. Its extension decides its format. If a document with the same
   * content and title exists, it is returned instead.
   */
  async add(
    document: Omit<Schema<"CreateDocumentRequest">, "file"> & { file: Blob; file_name: string },
    options?: UploadOptions,
  ): Promise<Schema<"Document">> {
    const { file, file_name, ...fields } = document;
    const form = new FormData();
    for (const [name, value] of Object.entries(fields))
      if (value !== undefined && value !== null) form.set(name, String(value));
    form.set("file", file, file_name);
    return (await upload(this.transport, "/api/v1/knowledge", form, options)).json();
  }
}

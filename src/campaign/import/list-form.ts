import type { FormRules } from "../../kernel/http/multipart.ts";
import { MAX_FILE_BYTES, MAX_ROWS_BYTES } from "../../lists/limits.ts";

export const LIST_FORM: FormRules = {
  file: "contacts",
  most: MAX_FILE_BYTES,
  received: 132_000_000,
  long: { rows: MAX_ROWS_BYTES },
};

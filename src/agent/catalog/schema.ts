type Property = Record<string, unknown>;

/** Returns the JSON Schema (2020-12) of a tool's arguments. Arguments that are not in `optional` are required. */
export function args(properties: Record<string, Property>, optional: string[] = []): Record<string, unknown> {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: "object", properties, required, additionalProperties: false };
}

export const text = (description: string, more: Property = {}): Property => ({ type: "string", description, ...more });
export const phone = (description: string): Property => text(description, { pattern: "^\\+[1-9]\\d{6,14}$" });
/** Returns the schema of a time in UTC, as calendar and task vendors require it. */
export const moment = (description: string): Property => text(description, { format: "date-time", pattern: "Z$" });
export const day = (description: string): Property => text(description, { format: "date" });
export const whole = (description: string, minimum: number, maximum: number): Property => ({
  type: "integer",
  description,
  minimum,
  maximum,
});
export const zone = (description: string): Property => text(description, { pattern: "^[A-Za-z0-9_+/-]{2,50}$" });
export const choice = (description: string, values: string[]): Property => text(description, { enum: values });

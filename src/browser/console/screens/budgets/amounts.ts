import { formatMoney, formatNumber } from "../../texts/format.ts";
import type { Budget } from "./queries.ts";

type Unit = Budget["unit"];
const MICROS = 1_000_000;

export const amountIn = (unit: Unit, amount: number): string =>
  unit === "usd_micros" ? formatMoney(amount) : formatNumber(amount);

/** Returns a limit as it is shown in the form: costs in dollars. */
export const enteredLimit = ({ unit, limit }: Pick<Budget, "unit" | "limit">): number =>
  unit === "usd_micros" ? limit / MICROS : limit;

/** Returns an entered limit as the service expects it. */
export const limitOf = (unit: Unit, entered: number): number =>
  unit === "usd_micros" ? Math.round(entered * MICROS) : entered;

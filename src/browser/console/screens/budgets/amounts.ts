import { formatMoney, formatNumber } from "../../texts/format.ts";
import type { Budget } from "./queries.ts";

type Unit = Budget["unit"];
const MICROS = 1_000_000;

/** How an amount of a budget is written. */
export const amountIn = (unit: Unit, amount: number): string =>
  unit === "usd_micros" ? formatMoney(amount) : formatNumber(amount);

/** A limit as it is entered: costs in dollars. */
export const enteredLimit = ({ unit, limit }: Pick<Budget, "unit" | "limit">): number =>
  unit === "usd_micros" ? limit / MICROS : limit;

/** An entered limit as the service takes it. */
export const limitOf = (unit: Unit, entered: number): number =>
  unit === "usd_micros" ? Math.round(entered * MICROS) : entered;

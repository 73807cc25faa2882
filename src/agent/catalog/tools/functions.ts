/*
 * The code of the shipped Python tools: `run(args, session)`, where `session` is what a runtime knows about its session.
 * They are pure functions that use only the standard library, so that they run in any runtime with Python.
 */

export const WORK_OUT_TOTAL = `from decimal import ROUND_HALF_UP, Decimal


def part(amount, percent):
    share = Decimal(amount) * Decimal(str(percent)) / 100
    return int(share.quantize(Decimal(1), rounding=ROUND_HALF_UP))


def run(args, session):
    lines = [{"name": item["name"], "cents": item["unit_cents"] * item.get("quantity", 1)} for item in args["items"]]
    subtotal = sum(line["cents"] for line in lines)
    discount = part(subtotal, args.get("discount_percent", 0))
    tax = part(subtotal - discount, args.get("tax_percent", 0))
    return {"lines": lines, "subtotal_cents": subtotal, "discount_cents": discount, "tax_cents": tax,
            "total_cents": subtotal - discount + tax}
`;

/** Transfers callers only to the agent's own transfer targets, by label. */
export const TRANSFER_CALL = `def run(args, session):
    targets = (session.get("agent") or {}).get("transfer_targets") or []
    numbers = {target["label"]: target["number"] for target in targets}
    if args["label"] not in numbers:
        return {"error": "label is none of the agent's transfer targets", "labels": sorted(numbers)}
    return {"action": "transfer", "to_number": numbers[args["label"]], "summary": args["summary"],
            "say": args.get("announcement") or "One moment, I am connecting you."}
`;

export const END_CALL = `def run(args, session):
    return {"action": "hangup", "disposition": args["disposition"],
            "say": args.get("farewell") or "Thank you for calling. Goodbye."}
`;

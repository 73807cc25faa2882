/*
 * What the shipped Python tools do: `run(args, session)`, where `session` is what a runtime was told of its session.
 * Pure functions of these two and the standard library, so that they run wherever a runtime runs Python.
 */

/** Words in common, rarer ones first: the best of what the session brought along. */
export const SEARCH_KNOWLEDGE = String.raw`import re

COMMON = set("a an and are at be by can do does for from have how i in is it me my of on or our that the there this to "
             "was we what when where which who why will with you your".split())


def words(text):
    found = re.findall(r"\w+", (text or "").casefold())
    return {word[:-1] if len(word) > 3 and word.endswith("s") else word for word in found if word not in COMMON}


def run(args, session):
    asked = words(args["question"])
    faqs = session.get("faqs") or []
    held = [(words(faq.get("title")), words(faq.get("summary")), words(faq.get("content"))) for faq in faqs]
    hits = []
    for place, (faq, (title, summary, content)) in enumerate(zip(faqs, held)):
        score = 0.0
        for word in asked & (title | summary | content):
            spread = sum(1 for parts in held if any(word in part for part in parts))
            score += (3 * (word in title) + 2 * (word in summary) + (word in content)) / spread
        if score > 0:
            hits.append((-score, place, faq))
    best = [faq for _, _, faq in sorted(hits, key=lambda hit: hit[:2])[: args.get("limit", 3)]]
    return {"answers": [{"title": faq.get("title"), "answer": faq.get("summary") or (faq.get("content") or "")[:600]}
                        for faq in best]}
`;

export const SPELL_BACK = `ALPHABET = dict(zip("abcdefghijklmnopqrstuvwxyz", (
    "Alfa Bravo Charlie Delta Echo Foxtrot Golf Hotel India Juliett Kilo Lima Mike November Oscar Papa Quebec Romeo "
    "Sierra Tango Uniform Victor Whiskey X-ray Yankee Zulu").split()))
DIGITS = "zero one two three four five six seven eight nine".split()
SIGNS = {"@": "at", ".": "dot", "-": "dash", "_": "underscore", "+": "plus", "/": "slash", "#": "hash", " ": "space"}


def spoken(sign):
    if sign.lower() in ALPHABET:
        return f"{sign.upper()} as in {ALPHABET[sign.lower()]}"
    if sign in "0123456789":
        return DIGITS[int(sign)]
    return SIGNS.get(sign, sign)


def run(args, session):
    return {"say": ", ".join(spoken(sign) for sign in args["text"].strip())}
`;

export const WORK_OUT_DATE = `from datetime import date, timedelta

WEEKDAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]


def run(args, session):
    try:
        start = date.fromisoformat(args["from_date"])
        found = start + timedelta(days=args.get("days", 0))
        if "weekday" in args:
            found += timedelta(days=(WEEKDAYS.index(args["weekday"]) - found.weekday() - 1) % 7 + 1)
        found += timedelta(weeks=args.get("weeks", 0))
    except (ValueError, OverflowError):
        return {"error": "from_date must be a date such as 2026-03-09, and what is counted from it must stay a date"}
    return {"date": found.isoformat(), "weekday": WEEKDAYS[found.weekday()], "days_ahead": (found - start).days}
`;

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

/** Callers are only transferred to the agent's own transfer targets, by their labels. */
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

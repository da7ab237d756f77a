"""What is known of each asset class, as data: instrument patterns, what its bare levels are (spec 1).

Four files, one a family; one table a class:
    types         what it is quoted in, the default first
    spread        what a bare `bp` or a bare `+` is
    currency      of its market, assumed where none is printed
    ticks         `cash`: its prices are in 32nds; `usd`: only in US dollars; else never
    unmarked      what a level without any mark is: [quote type, lowest, highest, shape, decimals], the first that
                  fits; shape `falling`: first value above the second; decimals: at most so many printed
    instruments   patterns of instrument texts, matched from the start
    strong        patterns that say more than a heading does
    shelves       first words of the names of its deals
    markets       currencies of instruments by pattern, before the class's own
    futures       instruments whose 32nds are an exchange's: a third digit 0, 2, 5, 7 is quarters
    on_price      instruments of the class that trade on price instead
    size_unit     what a size counts, if not face
    deal          an amount from here on is the deal's, and no size of a quote
    flat          its prices are without accrued interest
    curve         it is quoted by tenor
    thousands     its sizes are in thousands: `M` anywhere, a quantity in front of a name, a column of small numbers
"""

from parsers.quotes.classes.forms import class_by_deal, class_by_instrument, is_of_class
from parsers.quotes.classes.homes import home_of, is_of_treasury
from parsers.quotes.classes.naming import PRODUCTS, class_by_words, class_named, classes_in
from parsers.quotes.classes.rules import SECURITISED, ClassRules, Unmarked, rules_of

__all__ = [
    "PRODUCTS",
    "SECURITISED",
    "ClassRules",
    "Unmarked",
    "class_by_deal",
    "class_by_instrument",
    "class_by_words",
    "class_named",
    "classes_in",
    "home_of",
    "is_of_class",
    "is_of_treasury",
    "rules_of",
]

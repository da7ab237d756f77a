"""The kinds of words that rules ask for: a closed list, and no word of them. What belongs to each is in `*.toml`."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum, auto
from functools import cache
from types import MappingProxyType

from parsers.codes import AssetClass


class Place(StrEnum):
    """Where a phrase may stand."""

    sentence = "sentence"  # among other words: in a line, a title, a cell
    level = "level"  # beside the level of a line
    heading = "heading"  # in the heading of a column
    subject = "subject"  # in a heading, subject or file name, which speaks of a class


class Sense(StrEnum):
    """What a phrase says in a sentence."""

    # office.toml

    confirmation = auto()
    """Says that what stands under it is done, or what is held: `trade confirmation`, `Depotauszug`."""
    deal_paper = auto()
    """Is numbered where something was done: `order`, `ticket`."""
    number_sign = auto()
    """Stands in front of a number that names something: `no.`, `ref`."""

    # market.toml

    dealt = auto()
    """Says that somebody bought or sold, in a past that is no market: `bought`."""

    # office.toml

    confirmed = auto()
    """What a desk confirms: `the following`, `your`."""
    deal = auto()
    """Something that was dealt: `trade`, `purchase`."""
    execution = auto()
    """What was done of an order: `fills`."""
    invoice_of = auto()
    """Stands behind `invoice`, and in front of its number or day."""
    invoice = auto()
    """An invoice in languages other than English."""
    dated = auto()
    """Stands in front of an invoice's day: `del`."""
    outlook = auto()
    """A subject that announces or reports, and quotes nothing: `auction calendar`, `P&L`."""
    sensitivity = auto()
    """A measure of risk that reports are about: `DV01`."""
    report_by = auto()
    """Stands behind a sensitivity in the title of a report: `by`, `ladder`."""
    primary_news = auto()
    """What is told of new issues: `priced`, `pipeline`."""
    auction = auto()
    """A sale by auction or tender."""
    auction_result = auto()
    """What came of one: `Ergebnis`."""

    # market.toml

    better = auto()
    """Between a desk's side and its word: `better buyer`."""
    trader = auto()
    """Who buys or sells: `sellers`, `Käufer`."""
    trading_stem = auto()
    """How the words of buying and selling begin in Romance languages: `vend`."""
    desk_buys = auto()
    """What a desk says of itself where it buys: `wir suchen`, `compramos`."""
    desk_sells = auto()
    """The same where it sells: `nous offrons`, `vendemos`."""
    buying = auto()
    """Says that the desk buys, or shows bids: `axed to buy`, `wanted`, `Geldseite`."""
    selling = auto()
    """Says that it sells, or shows offers: `for sale`, `inventory`, `Briefseite`."""
    buying_alone = auto()
    """Says it where nothing else stands beside it: `bidding`."""
    selling_alone = auto()
    """The same of selling: `sell`."""
    bid_in_brackets = auto()
    """Says it in brackets: `(Geld)`."""
    ask_in_brackets = auto()
    """The same of selling: `(Brief)`."""
    price_of_desk = auto()
    """What a desk offers in Romance languages, beside `offered`: `niveaux`, `prezzi`."""
    offered = auto()
    """Said of them: `offerts`."""
    two_way = auto()
    """Both sides at once: `two-way`."""
    mid_side = auto()
    """The middle of both: `Mittelkurs`."""
    not_of_mid = auto()
    """What `mid` is a part of, and no side: `mid-swap`, `mid month`."""
    marking = auto()
    """Says that prices are marks and nobody deals at them: `closing`, `Schlusskurse`."""
    since = auto()
    """In front of a close that is only spoken of: `since the close`."""
    past_one = auto()
    """Between these: `last`, `yesterday's`."""
    covers = auto()
    """Says what the second best bid was."""
    told_later = auto()
    """Behind it, that it is still to come: `to follow`."""
    traded = auto()
    """Says what was traded, and at what: `prints`, `gehandelt`."""
    of_today = auto()
    """When it was seen, behind `prints`."""
    trades_so = auto()
    """Behind `trades`, how something trades in general: `trades cheap`."""
    price_noun = auto()
    """A word for what a dealer makes: `levels`, `quotes`."""
    own_list = auto()
    """A list of what a desk has: `axes`, `inventory`."""
    list_owner = auto()
    """In front of it: `our`, `today's`."""
    indicative = auto()
    """Says that nobody need deal at these prices: `unverbindlich`."""

    # office.toml

    we_confirm = auto()
    """Begins a confirmation: `we hereby confirm`."""

    # market.toml

    deals = auto()
    """Buys or sells: `buy`."""

    # office.toml

    recap_of = auto()
    """Begins a list of what was done: `recap of`."""

    # talk.toml

    whose = auto()
    """In front of a thing, whose or which it is: `your`, `today's`."""

    # office.toml

    invoiced = auto()
    """An invoice in English, which is also a verb."""

    # market.toml

    dealt_short = auto()
    """The same as bought or sold, in shorthand: `bot`."""

    # amounts.toml

    thousands_or_millions = auto()
    """A size's unit that is one letter or two: `k`, `mm`."""

    # market.toml

    stance_owner = auto()
    """In front of a lone side: `axed`, `our`, `best`."""
    offers_romance = auto()
    """Offers in Romance languages, which are also a verb: `offres`."""
    bid_word = auto()
    """The side that buys, in English."""
    ask_word = auto()
    """The side that sells, in English."""
    between_sides = auto()
    """Between both sides: `and`, `over`."""

    # paper.toml

    new_issue = auto()
    """A bond that is about to be sold first: `new issue`."""

    # office.toml

    rating_moved = auto()
    """A change of rating: `upgrades`."""

    # market.toml

    axe_word = auto()
    """The word itself."""
    better_buyers = auto()
    """Who buys, of an axe in English."""
    better_sellers = auto()
    """Who sells, of an axe in English."""

    # talk.toml

    and_romance = auto()
    """`and` in French and Italian."""

    # market.toml

    gauge = auto()
    """An index of stocks or volatility, oil, gold: in every commentary, and quoted by no dealer of ours."""
    plain_gauge = auto()
    """Those of them whose level may be a whole number: `VIX 15`."""

    # paper.toml

    government_bond = auto()
    """A government's bonds as a market speaks of them: `Treasuries`, `Bund`."""
    rating_letters = auto()
    """A rating without its sign, which is no name: `BBB`."""
    of_rating = auto()
    """What has that rating, said of many: `BB refis`."""
    future_root = auto()
    """An exchange's letters of a future, in front of its month."""

    # market.toml

    not_linked = auto()
    """Behind a gauge, that the gauge itself is meant: `SPX close`."""

    # talk.toml

    no_name = auto()
    """At the beginning of a text, that it names no instrument: `target`, `ECB`, `meeting`."""
    no_price_of = auto()
    """What has figures and no price, at the end of a phrase: `desk`, `z-scores`."""

    # office.toml

    ticket_mark = auto()
    """In front of the number of a ticket or case."""
    of_a_fund = auto()
    """In front of a fund's value: `net`, `total`."""
    nav = auto()
    """A fund's value of a share."""

    # market.toml

    dealer_book = auto()
    """What dealers hold, in commentaries."""
    market_name = auto()
    """What is quoted by others, alone in front of where it stands: `Dólar`, `crude`, `PMI`."""
    rate_name = auto()
    """A rate or its index, alone or with a tenor in front of where it stands."""

    # talk.toml

    sentence_word = auto()
    """Stands in sentences, and in no instrument's name: `we`, `the`."""

    # paper.toml

    of_many = auto()
    """A market and nothing that one can buy: `spreads`, `valuations`, `sectors`."""
    attribute_alone = auto()
    """What a list tells of its bonds, in front of figures that are no price: `WAL`, `CPR`."""

    # market.toml

    moved = auto()
    """Which way a market went: `wider`, `firmer`."""
    colour = auto()
    """Says how a market felt or what happened in it: `sentiment`, `sold off`."""
    performance = auto()
    """How something did beside others; it is a stem."""
    felt = auto()
    """How it feels, at a sentence's end: `active`."""
    felt_when = auto()
    """When it felt so."""
    moved_than = auto()
    """Which way, in front of a reason or a day: `higher`."""
    moved_when = auto()
    """What stands behind that: `on`, `today`."""
    spot_word = auto()
    """In front of the market that a quote refers to: `spot`, `ref`."""

    # paper.toml

    index_family = auto()
    """A family of credit indices."""
    index_maker = auto()
    """Whose indices of credit."""

    # amounts.toml

    bp_word = auto()
    """Basis points."""

    # market.toml

    measure_short = auto()
    """A measure by its short name, with its value alone on a line."""
    curve_name = auto()
    """What a spread is over, by a letter or two."""

    # talk.toml

    verb_at = auto()
    """Between a verb and a yield: `closed at 4.12%`."""
    corrected_to = auto()
    """Stands between what was printed by mistake and what was meant: `should be`, `correction`."""
    describing_prefix = auto()
    """In front of a word in -ed that describes: `un`."""
    describing = auto()
    """A word in -ed that says of what kind something is, and not what happened: `secured`."""
    to_reader = auto()
    """What a reader is told to do: `please`, `call`."""
    auxiliary = auto()
    """Of a verb in a sentence: `is`, `will`."""

    # market.toml

    bettered = auto()
    """What is better: a side, or who is on it."""

    # talk.toml

    pointer = auto()
    """Points at what stands under or beside it: `below`, `attached`."""

    # mail.toml

    of_prices = auto()
    """In a covering note, what is about the prices beside it: `all`, `levels`, `anbei`."""
    all_of_it = auto()
    """All that is in the attachments."""
    is_all = auto()
    """Between that and its side."""

    # market.toml

    offer_side = auto()
    """One side by its name: `bid-side`."""

    # talk.toml

    offered_at = auto()
    """Behind `offered`, that a price or a place comes, and no side of all."""

    # mail.toml

    sided_only = auto()
    """Says that all of it is on one side: `offers only`."""

    # talk.toml

    our = auto()
    """Whose something is: the desk's."""

    # market.toml

    sides = auto()
    """The prices of one side, of many bonds."""

    # mail.toml

    attached = auto()
    """That something comes with the mail."""

    # market.toml

    own_stock = auto()
    """What a desk has to sell."""
    sided_word = auto()
    """Of which side levels are."""
    quoted_noun = auto()
    """A word for many levels."""
    mids_of = auto()
    """What says that mids are meant."""

    # talk.toml

    we = auto()
    """The desk."""
    are = auto()
    """Is, of the desk."""
    are_short = auto()
    """The same behind an apostrophe."""

    # market.toml

    stance_taken = auto()
    """What the desk would do: `to buy`, `sellers`."""
    looking_to = auto()
    """That it looks to do so."""
    stance_of_list = auto()
    """What a list is of: `are offers`, `for sale`."""

    # mail.toml

    whole_list = auto()
    """All that is in the attachments or the list, in a sentence: `everything`, `tutti`."""

    # talk.toml

    others = auto()
    """Somebody else than the desk, or nobody: `clients`, `if`, `not`."""
    is_are = auto()
    """Is, of a sheet or many."""

    # mail.toml

    enclosed = auto()
    """That something comes with the mail, of a sheet in some currency."""
    enclosed_so = auto()
    """Between that and the currency."""
    all_in = auto()
    """In front of a currency that all is in."""

    # amounts.toml

    by_piece = auto()
    """That a price is of a piece: `je Stück`."""

    # market.toml

    closing_prices = auto()
    """That the prices are marks: `Schlusskurse`, `eod levels`."""
    mids = auto()
    """Prices in the middle of both sides, of many."""
    unchanged = auto()
    """That something stands where it stood."""

    # mail.toml

    disclaimer = auto()
    """Begins a disclaimer, behind which nothing is read."""
    our_message = auto()
    """What a disclaimer calls the mail."""
    disclaimer_title = auto()
    """The title of a disclaimer, alone on its line."""
    example_sign = auto()
    """Shows how lines are to be read: `e.g.`, `format`."""
    example = auto()
    """An example of a line."""
    exercise = auto()
    """An exercise, whose prices are invented."""
    farewell = auto()
    """Ends a mail: `cheers`, `mit freundlichen Grüßen`."""
    farewell_kind = auto()
    """In front of regards: `best`."""
    farewell_noun = auto()
    """Regards."""

    # market.toml

    best_of_market = auto()
    """What is best in a market, and no greeting: `best bid`."""

    # mail.toml

    phone = auto()
    """In front of a number that is dialled."""
    street = auto()
    """Behind the number of a house and a street's name."""

    # talk.toml

    disregard = auto()
    """Tells that something is not to be read."""
    what_is_below = auto()
    """What stands below: `the levels below`."""

    # office.toml

    issued = auto()
    """What became of a new issue: `priced`, `mandated`."""

    # market.toml

    fair_owner = auto()
    """Whose fair value it is."""

    # office.toml

    new_supply = auto()
    """New issues, in front of a list of them."""

    # market.toml

    movers = auto()
    """What moved most, in front of a list of them."""
    no_mover = auto()
    """Behind `best`, that it is a side or a price."""

    # office.toml

    primary_market = auto()
    """Says that a line is of new issues: `IPTs`, `guidance`."""

    # market.toml

    index_future = auto()
    """A future on an index of stocks."""
    listed_thing = auto()
    """What a line announces that stands below it: `runs`, `recap`."""

    # talk.toml

    event = auto()
    """At the end of a text, that a day or hour follows: `due`, `expiry`."""

    # market.toml

    average = auto()
    """What is one of many values."""

    # talk.toml

    reported = auto()
    """Says that a figure is told and not quoted: `support`, `allotted`, `YTD`."""
    trade_idea = auto()
    """What somebody advises."""
    target = auto()
    """A figure that is aimed at, or not passed."""

    # office.toml

    unfilled = auto()
    """What became of an order."""

    # market.toml

    done_word = auto()
    """Says of which kind a price is: `traded`, `talk`, `marked`."""
    prices_of = auto()
    """Prices, in front of what they are of."""

    # talk.toml

    of_what = auto()
    """Between them: `for`, `von`."""

    # market.toml

    desk_stance = auto()
    """What a desk shows or wants: `bids`, `can show`."""
    buyer = auto()
    """Who buys."""
    seller = auto()
    """Who sells."""

    # talk.toml

    of_something = auto()
    """Between that and what it is: `de`, `von`."""
    we_are = auto()
    """In front of it: `nous sommes`."""
    we_can = auto()
    """What the desk can do, in Romance languages."""
    we_are_a = auto()
    """In English, in front of it: `we are a`."""
    we_would = auto()
    """What the desk would do: `we can`, `I'd`."""

    # market.toml

    buy_verb = auto()
    """Buys."""
    sell_verb = auto()
    """Sells."""
    to_buy = auto()
    """To buy, in Romance languages."""
    to_sell = auto()
    """To sell, in Romance languages."""
    wants_to_buy = auto()
    """Says that the desk wants to buy: `axed to buy`, `suchen`."""
    wants_to_sell = auto()
    """Says that it wants to sell: `better seller of`, `offrons`."""
    buys = auto()
    """That it buys, which may be another's."""
    at_level = auto()
    """In front of the level at which it would: `at`, `zu`."""

    # paper.toml

    exchange = auto()
    """Where a share is listed, behind its ticker."""

    # office.toml

    numbered_deal = auto()
    """What has a number or a price where something was done."""
    deal_number = auto()
    """Of which it is: `id`, `px`."""
    counterparty = auto()
    """With whom something was done."""
    valuation_short = auto()
    """What something is worth in a book."""
    dealt_heading = auto()
    """The heading of a column of deals, positions or terms, and not of prices."""

    # market.toml

    past_measure = auto()
    """How something did in the past: `YTD`, `z-score`."""

    # time.toml

    period = auto()
    """A time that is looked back on: `weekly`."""

    # market.toml

    past_of = auto()
    """What happened in it: `chg`, `range`."""

    # office.toml

    nav_kind = auto()
    """Which value of a fund: `official`."""
    nav_name = auto()
    """A fund's value."""

    # amounts.toml

    share_or_unit = auto()
    """Of what it is."""

    # paper.toml

    benchmark_country = auto()
    """Whose government's bonds a yield is of."""

    # time.toml

    year_letter = auto()
    """Years behind a number."""

    # paper.toml

    smile = auto()
    """Options on both wings, by their letters."""

    # market.toml

    over_any = auto()
    """Says that a level is over something: `vs`, `spread`."""
    over_curve = auto()
    """Between a spread and what it is over, in front of a name."""
    swap_reference = auto()
    """The swaps that a spread is over."""
    generic_noun = auto()
    """Of many bonds, at the end of a title: `complex`, `runs`."""
    market_name_alone = auto()
    """What a market's talk is of, and no gauge."""
    market_quiet = auto()
    """How a market is, without a level."""

    # amounts.toml

    tick_word = auto()
    """Ticks."""

    # talk.toml

    initial_word = auto()
    """Begins a sentence and no title."""

    # mail.toml

    greeting = auto()
    """Begins a mail."""

    # paper.toml

    canada = auto()
    """Canada's curve."""

    # market.toml

    value_noun = auto()
    """What has a value, and is no title."""

    # office.toml

    total_kind = auto()
    """In front of a total: `grand`, `weighted`."""
    total_word = auto()
    """The row of a total: `Summe`."""
    total_of = auto()
    """Of what it is."""

    # market.toml

    commodity = auto()
    """A commodity or future that is quoted in a sheet's corner, and no bond."""
    gauge_form = auto()
    """In which form: `index`, `future`."""

    # amounts.toml

    change_unit = auto()
    """What a change is counted in: `bp`, `ticks`."""

    # market.toml

    direction = auto()
    """Which way something went, in front of how far."""

    # time.toml

    looked_back_on = auto()
    """Since when: `on the day`, `w/w`."""
    range_of = auto()
    """Of which time a range is: `52w`, `intraday`."""

    # talk.toml

    of_is = auto()
    """Between a thing and its value: `of`, `is`."""

    # time.toml

    of_this = auto()
    """Now: `today`, `this week`."""

    # market.toml

    direction_felt = auto()
    """Which way, behind how far: `firmer`."""

    # time.toml

    which_coupon = auto()
    """Which coupon a day is of: `next`."""

    # paper.toml

    pool_measure = auto()
    """What is measured of a pool of loans: `LTV`, `WAC`."""
    analytic_kind = auto()
    """Of which kind an analytic is: `modified`."""
    analytic = auto()
    """What a system computes of a bond: `duration`, `DV01`."""
    par_kind = auto()
    """What stands behind the par of a preferred: `liq`, `pfd`."""
    pool_factor = auto()
    """How much of a pool is left."""

    # time.toml

    settled = auto()
    """In front of the day on which something ends or is settled."""

    # paper.toml

    barrier = auto()
    """The barrier of a note, in front of its level."""

    # talk.toml

    at_of = auto()
    """Between them: `at`, `bei`."""

    # market.toml

    pick_up = auto()
    """What is won by a switch: `pick-up`, `carry`."""

    # paper.toml

    price_paid_back = auto()
    """A price that is paid and not quoted: `redemption`, `issue`."""

    # market.toml

    price_px = auto()
    """A price, in English."""
    null = auto()
    """That there is no level: `n/a`, `tbd`."""
    null_rating = auto()
    """The same in letters that are a rating or a name, too."""

    # paper.toml

    counted_thing = auto()
    """What is counted behind a number that is no level: `5 lines`."""

    # amounts.toml

    million_unit = auto()
    """Millions."""
    ordinal_or_year = auto()
    """Behind a number that is no level: an ordinal, a year, months."""

    # time.toml

    tenor_unit = auto()
    """Behind a number that is a tenor."""

    # amounts.toml

    dm_or_bp = auto()
    """Behind a spread: `dm`, `bp`."""
    level_unit = auto()
    """Behind a level that stands alone: `pts`, `nvol`."""

    # market.toml

    curve_prefix = auto()
    """In front of a spread with its sign, what it is over."""
    curve_prefix_apart = auto()
    """Those of them that stand apart from it, too."""

    # amounts.toml

    yield_unit = auto()
    """Behind a level that is a yield."""
    points_unit = auto()
    """Behind a level, what it counts: `bp running`, `pts upfront`."""
    vol_unit = auto()
    """Behind a volatility or a percentage."""
    unit_letter = auto()
    """A unit of one or two letters, which is small: `c`, `pb`."""

    # paper.toml

    option_side = auto()
    """Which option it is: `payer`."""

    # time.toml

    half_day = auto()
    """Behind an hour."""
    time_unit = auto()
    """What a tenor counts, spelled out: `años`, `Monate`."""

    # paper.toml

    floater_letter = auto()
    """What a floater pays, as its name has it: `E`, `STIBOR`."""
    moneyness = auto()
    """How far an option is from the money."""
    loan_pool = auto()
    """Behind a loan's size in the name of a pool: `max`, `FICO`."""
    government_ticker = auto()
    """The ticker of a government's bonds, as a benchmark is named by it."""

    # market.toml

    unchanged_short = auto()
    """That a level stands where it stood, in brackets."""
    moved_so = auto()
    """Behind a change, which way it was."""

    # paper.toml

    delta_letter = auto()
    """The delta of an option, by its letter."""

    # market.toml

    reference_word = auto()
    """In front of the level that another depends on: `ref`, `stk`."""

    # talk.toml

    was = auto()
    """Between a thing and what is said of it."""

    # amounts.toml

    dm_px = auto()
    """Behind what a talk is in."""

    # market.toml

    talk_letters = auto()
    """A band of a talk in letters: `LM` is low to mid."""
    talk_band = auto()
    """A band of a talk: `very low`."""
    in_context = auto()
    """In front of a level that is talked about: `context of`."""
    area_word = auto()
    """Behind such a level: `area`."""

    # paper.toml

    rating_scale = auto()
    """A rating on a scale of agencies."""
    rating_letter = auto()
    """A rating that is a word or a letter, too."""
    seniority_code = auto()
    """How a bond ranks, in one word: `SNP`, `AT1`."""
    seniority = auto()
    """The same, which may be told more closely: `Sr`."""
    seniority_of = auto()
    """How it is told more closely: `Unsec`."""
    wal_word = auto()
    """The average life of a bond."""
    enhancement = auto()
    """What protects a tranche."""

    # amounts.toml

    orig_face = auto()
    """The face of a pool when it began."""
    size_unit = auto()
    """A size's unit in a run: `mm`, `k`."""

    # time.toml

    settlement_kind = auto()
    """How something is settled: `regular`, `cash`."""

    # amounts.toml

    in_currency = auto()
    """In front of the currency that all is in."""

    # talk.toml

    except_word = auto()
    """Behind it, that some is not."""
    and_so = auto()
    """Behind it, what else is said of all."""
    before_code = auto()
    """In front of a currency that ends a title, where it is no currency of all."""

    # amounts.toml

    euro_word = auto()
    """The euro, or where it is paid."""
    european = auto()
    """Of Europe, whose currency is the euro but for its governments."""
    eu = auto()
    """The European Union."""

    # paper.toml

    eu_market = auto()
    """What there is of it."""

    # amounts.toml

    euro_paper = auto()
    """Money market paper in euro."""
    sterling = auto()
    """The pound."""
    uk = auto()
    """The United Kingdom."""
    canadian = auto()
    """Of Canada."""
    aussie = auto()
    """Of Australia."""
    kiwi = auto()
    """Of New Zealand."""
    yankee = auto()
    """Of the United States."""
    us = auto()
    """The United States."""

    # paper.toml

    us_market = auto()
    """What there is of them."""
    treasury_word = auto()
    """Treasuries, in front of their repo."""
    repo_word = auto()
    """Their repo."""

    # amounts.toml

    currency_small = auto()
    """Currencies that are written in small letters, too."""
    region_code = auto()
    """A region that is no currency, beside one."""
    size_noun = auto()
    """Sizes, in front of what they are in."""

    # talk.toml

    in_word = auto()
    """Between them."""

    # paper.toml

    protection = auto()
    """What is bought against a default."""

    # time.toml

    settle_when = auto()
    """When something is settled, in a title."""

    # market.toml

    price_word = auto()
    """Prices, in a title."""

    # amounts.toml

    thirty_seconds = auto()
    """That levels are in 32nds."""

    # paper.toml

    government = auto()
    """A government's bonds, by their short name."""

    # time.toml

    years = auto()
    """Years of a tenor."""

    # paper.toml

    benchmark_name = auto()
    """What names a benchmark in front of its tenor."""

    # time.toml

    tenor_letter = auto()
    """What such a tenor counts."""

    # paper.toml

    benchmark_what = auto()
    """What stands behind such a tenor: `OTR`, `notes`."""

    # market.toml

    side_word = auto()
    """A side, beside a level in a typed table."""
    between_figures = auto()
    """What stands between figures of a typed table."""
    result_word = auto()
    """In front of a result in a typed table."""
    bid_short = auto()
    """The bid in a heading of two, shortened."""
    ask_short = auto()
    """The ask in it."""
    compound_end = auto()
    """How a German compound of a class ends: `-preise`."""

    # paper.toml

    option_word = auto()
    """Options, in a title."""
    forward_word = auto()
    """Forwards, in a title."""

    # amounts.toml

    hard_currency = auto()
    """The currencies of governments abroad."""

    # paper.toml

    european_place = auto()
    """Governments of the euro, in Spanish and Portuguese."""
    option_noun = auto()
    """Options that a name tells."""

    # market.toml

    price_kind = auto()
    """In front of a price: `clean`."""

    # paper.toml

    bond_kind = auto()
    """Of which kind bonds are: `cash`."""
    bond_noun = auto()
    """Bonds, in a title that names nothing else."""

    # market.toml

    bond_list = auto()
    """What is listed of them."""
    pick_up_verb = auto()
    """What is won by a switch, behind how much it is."""

    # paper.toml

    sovereign = auto()
    """Governments abroad, in Spanish and Portuguese."""

    # amounts.toml

    hard_code = auto()
    """The codes of those currencies, in front of them."""

    # time.toml

    settlement_stem = auto()
    """How something is settled, as it begins."""

    # office.toml

    correlations = auto()
    """Correlations, alone in a subject."""
    fills = auto()
    """What was done of orders, at a subject's beginning."""
    holdings_word = auto()
    """What is held."""
    fixings = auto()
    """What was fixed."""

    # paper.toml

    not_unit = auto()
    """Behind `c`, that it is a company's and no unit: `plc`."""

    # amounts.toml

    not_marking = auto()
    """Close to something, or at the close of something else: `close refs`."""
    another_day = auto()
    """Of lists, that they are not today's: `tomorrow`."""
    list_count = auto()
    """Of lists, more than one: `several BWICs`."""
    size_each = auto()
    """Behind a size, that it is that of either side of all lines: `each way`."""
    size_for_all = auto()
    """In front of a size, that it is that of all lines: `all in`."""
    size_more = auto()
    """Behind a size, that there may be more or must be: `up`."""
    up = auto()
    """Behind a size of one figure, that there is more."""

    # paper.toml

    basis_word = auto()
    """A basis between tenors."""

    # market.toml

    talk_letters_apart = auto()
    """A band of a talk in letters with a stroke."""
    withdrawn = auto()
    """In a cell, that there is no price any more: `subject`, `pulled`."""
    outcome = auto()
    """In a cell, what came of a list: `dnt`, `best`."""

    # amounts.toml

    level_suffix = auto()
    """Behind a level of a cell, what it counts."""

    # office.toml

    held = auto()
    """In front of what is held."""
    held_amount = auto()
    """How much of it is held."""
    held_value = auto()
    """What that is worth."""
    your_price = auto()
    """What a reader's own price is called."""

    # market.toml

    curve_letters = auto()
    """A spread's curve, in front of it at the beginning of a line."""
    field = auto()
    """A field of a quote that is spread over lines, in front of its value."""
    field_of = auto()
    """What of it is told."""

    # talk.toml

    and_word = auto()
    """`and`, in any language."""
    at_or_side = auto()
    """In front of the level of another bond of the same line."""
    at_level_of = auto()
    """In front of a level, where another clause begins."""

    # paper.toml

    tier = auto()
    """How the bonds of one issuer rank, where they are told apart by it."""

    # amounts.toml

    money = auto()
    """The currencies in which one issuer's bonds are told apart."""

    # paper.toml

    pool_story = auto()
    """What the loans of a pool have in common, in short."""
    tranche_rating = auto()
    """A rating that is no tranche."""

    # time.toml

    tenor_unit_short = auto()
    """Behind the tenor of a bill."""

    # paper.toml

    latin_issuer = auto()
    """The ticker of an issuer of Latin America."""

    # market.toml

    cover_word = auto()
    """What the second best bid was, in front of it."""

    # talk.toml

    we_just = auto()
    """In front of what a desk did: `we just`."""

    # market.toml

    traded_word = auto()
    """Traded."""
    dealt_word = auto()
    """What the desk did: `sold`."""

    # time.toml

    tenor_unit_word = auto()
    """What a tenor counts, shortened."""

    # paper.toml

    beside_tenor = auto()
    """What stands beside a tenor that is a whole name."""

    # talk.toml

    and_foreign = auto()
    """`and` in Romance languages, which is a letter of a name, too."""

    # market.toml

    ask_stem = auto()
    """How words of the side that sells begin."""

    # paper.toml

    of_tranche = auto()
    """What stands behind the attachments of a tranche."""
    pool_story_names = auto()
    """What the loans of a pool have in common, behind its coupon."""

    # office.toml

    sheet_without_prices = auto()
    """In the name of a sheet that has no prices: `lookup`, `calendar`."""

    # market.toml

    bid_first = auto()
    """The bid, in an order that is told: `bid/ask`."""
    ask_second = auto()
    """The ask in it."""

    # time.toml

    bill_unit = auto()
    """What the tenor of a bill counts."""

    # market.toml

    pasted_word = auto()
    """What says that a pasted row has a price."""
    best_word = auto()
    """In front of the best bid."""
    government_curve = auto()
    """The governments whose curve a spread is over."""

    # paper.toml

    pool_program_short = auto()
    """The programs, in front of a coupon."""

    # market.toml

    side_english = auto()
    """A side, in brackets behind what a desk does."""

    # paper.toml

    delta_word = auto()
    """Delta, behind how much."""
    put_or_call = auto()
    """The right to sell or to buy."""

    # mail.toml

    answer_mark = auto()
    """In front of the subject of an answer."""

    # paper.toml

    drawn = auto()
    """What of a loan is paid out."""
    floating_word = auto()
    """Says that a coupon floats."""

    # market.toml

    over_short = auto()
    """Between a measure and what it is over, in a heading."""
    bond_stands = auto()
    """Behind bonds of one issuer, that they have a level."""

    # paper.toml

    perpetual = auto()
    """That a bond has no maturity."""
    call_letters = auto()
    """Behind that, in front of when it is called."""
    floating_end = auto()
    """Says so at the end of a name."""

    # time.toml

    title_date = auto()
    """In front of a day, which makes a title of a date."""

    # paper.toml

    senior = auto()
    """That bonds are senior."""

    # amounts.toml

    currency_code = auto()
    """A currency by its code."""

    # market.toml

    spread_prefix = auto()
    """In front of a spread, what it is over, as runs print it."""
    spread_measure = auto()
    """Which spread it is, apart from its value."""

    # time.toml

    overnight_printed = auto()
    """The shortest tenors, with a stroke."""
    overnight_code = auto()
    """The same as codes, which are words, too."""
    tenor_unit_printed = auto()
    """What a tenor in running text counts."""
    years_of_curve = auto()
    """Years of a point of a curve."""

    # paper.toml

    identifier_label = auto()
    """In front of an identifier, of which kind it is."""
    label_more = auto()
    """Behind such a label: `no.`."""
    isin_country = auto()
    """The countries in whose ISINs a wrong check digit is told."""
    isin_without_country = auto()
    """What begins an ISIN and is no country."""

    # time.toml

    delivery_month = auto()
    """A month by three letters."""
    ordinal = auto()
    """Behind the number of a day."""

    # paper.toml

    perpetual_word = auto()
    """That a bond has no maturity, in its place."""
    call_word = auto()
    """Behind that, in front of when it is called."""

    # amounts.toml

    size_or_more = auto()
    """Behind a size, that it may be more, or less."""
    size_piece = auto()
    """Behind a size of all lines, what has it: `blocks`."""
    size_thing = auto()
    """What a size counts that is no money, in any language."""

    # market.toml

    bid_beside = auto()
    """The bid, beside a value of a cell."""
    ask_beside = auto()
    """The ask, beside it."""
    talk_word = auto()
    """A band of a talk, in words or letters."""
    area_mark = auto()
    """Behind the figure of a talk, that it is about there."""

    # amounts.toml

    talk_unit = auto()
    """Behind a talk, what it is in."""

    # mail.toml

    chat_greeting = auto()
    """Begins what somebody says in a chat."""

    # paper.toml

    inflation_index = auto()
    """An index of prices, which swaps are of."""

    # market.toml

    of_par = auto()
    """Behind `par`, that it is no level: `par call`."""

    # amounts.toml

    size_unit_mi = auto()
    """Units of a size that begin names, too."""
    size_unless = auto()
    """Behind a size of all lines, that some print their own."""

    # paper.toml

    perp_word = auto()
    """A perpetual bond, in place of its year."""

    # time.toml

    as_of_sign = auto()
    """What says that prices are of a time, in any form."""
    as_of = auto()
    """The same in front of that time."""
    day_preposition = auto()
    """In front of a date, in Romance languages: `au`."""
    close_word = auto()
    """The end of a day."""

    # market.toml

    closing_of = auto()
    """What is of it: `marks`."""

    # time.toml

    closed = auto()
    """That a time is the end of a day."""
    until = auto()
    """In front of a time until which something is to be done."""
    until_when = auto()
    """Between them."""
    moment_filler = auto()
    """Between `as of` and the time."""
    hour_word = auto()
    """Behind an hour with its minutes."""
    at_time = auto()
    """Between a day and its time."""
    on_day = auto()
    """Between a time and its day."""

    # market.toml

    sub_word = auto()
    """In front of a talk, that it is below that."""
    context_word = auto()
    """In front of a talk, that it is about there."""
    par_printed = auto()
    """Par, as it is printed."""
    area_letter = auto()
    """Behind a price, that it is about there."""
    px_word = auto()
    """That something is a price, at a cell's end."""


class LevelSense(StrEnum):
    """What a phrase beside a level says of it."""

    bid = auto()
    """A bid."""
    ask = auto()
    """An offer."""
    mid = auto()
    """The middle of both."""
    talk = auto()
    """Where it is talked to be."""
    cover = auto()
    """The second best bid."""
    mark = auto()
    """A mark, at which nobody deals."""
    trade = auto()
    """Where it was dealt."""
    price = auto()
    """What the class calls a price."""
    yield_pct = auto()
    """A yield."""
    breakeven_pct = auto()
    """A breakeven inflation."""
    discount_rate_pct = auto()
    """A discount rate."""
    payup_32 = auto()
    """A pay-up."""
    roll_ticks = auto()
    """A roll."""
    premium_bp = auto()
    """A premium."""
    spread_oas_bp = auto()
    """An option-adjusted spread."""
    spread_asw_bp = auto()
    """An asset swap spread."""
    base_corr_pct = auto()
    """A base correlation."""
    atm = auto()
    """A volatility at the money."""
    rr25 = auto()
    """A risk reversal of 25 delta."""
    bf25 = auto()
    """A butterfly of 25 delta."""
    flat = auto()
    """That it trades flat."""
    subject = auto()
    """That it is subject."""
    firm = auto()
    """That it is firm."""
    not_traded = auto()
    """That nothing was dealt."""
    axe = auto()
    """That the desk is axed."""
    running = auto()
    """Points running."""
    dm_bp = auto()
    """A discount margin."""
    indicative = auto()
    """Says that nobody need deal at these prices: `unverbindlich`."""
    withdrawn = auto()
    """In a cell, that there is no price any more: `subject`, `pulled`."""


FACETS: Mapping[str, str] = MappingProxyType(
    {
        "side": "bid ask mid both",
        # a level of any measure
        "bare": "level",
        # `Rec`: the receiver's side beside `Pay`, elsewhere a recovery
        "ambiguous": "receive",
        # only in front of a measure or a size: `B YTM`, `A Sz`
        "letter_side": "bid ask",
        "measure": (
            "price price_unit price_pct yield_pct real_yield_pct breakeven_pct discount_rate_pct rate_pct rate "
            "spread spread_bench_bp spread_g_bp spread_i_bp spread_z_bp spread_asw_bp spread_oas_bp "
            "spread_swap_bp spread_mmd_bp dm_bp cds_spread_bp upfront_pts swap_spread_bp basis_bp "
            "funding_spread_bp premium_bp premium_pct base_corr_pct vol vol_normal_bp vol_pct fwd_points fx_rate "
            "pct_nav payup_32 roll_ticks irr_pct repo_rate_pct"
        ),
        # whatever else the heading says, it is no quote
        "ignore": "change date statistic structure note country outstanding volume spot index_share new_issue",
        # what a yield of mortgages is told at
        "speed": "words",
        # count rows
        "ordinal": "words",
        # of statements, confirmations and research
        "record": "sure likely",
        # of the days and times that the quotes are of
        "clock": "quoted",
        "field": (
            "isin cusip identifier sedol figi lei wkn valor loanx_id red_code common_code local_code description "
            "part issuer ticker coupon margin maturity tenor currency rating seniority sector tranche benchmark "
            "axe ref_price delta running strike factor wal ce orig_face option_struct settle unit_par"
        ),
        # a bare `par` is the unit of a preferred, elsewhere a size (ruling 2)
        "size": "par size shares contracts",
        "kind": "trade mark talk cover result",
        "option_struct": "atm straddle rr25 bf25 rr10 bf10 payer receiver",
        "notation": "thirty_seconds",
        # multipliers of sizes
        "unit": "1 100 1000 1000000 1000000000",
        "mark_unit": "bp pct pts",
        "benchmark": "UST CAN MS MMD SPGB OAT BTP DBR UKT SOFR ESTR",
        # add nothing
        "filler": "words",
        "tenor": "ON TN SN",
        "currency": (
            "$ USD EUR GBP CHF CAD AUD NZD JPY SEK NOK DKK PLN CZK HUF RON TRY ZAR MXN BRL COP CLP PEN ARS UYU "
            "CNY CNH HKD SGD INR KRW IDR ILS THB MYR PHP TWD RUB SAR AED QAR KWD EGP NGN GHS KES DOP CRC GTQ PYG "
            "BOB ISK BGN RSD UAH KZT"
        ),
        # tell the language of a table: its decimal mark when numbers do not, and that dates are day first
        "language": "de fr es pt it",
    }
)
"""What a phrase of a heading says, by what it says something of; of two things the one that stands here first holds."""


@cache
def names() -> Mapping[str, tuple[Place, str]]:
    """Every sense as files name it, with its place: `weekday`, `level.bid`, `heading.side.bid`, `subject.corp_ig`."""
    found = {str(sense): (Place.sentence, str(sense)) for sense in Sense}
    found |= {f"{Place.level}.{sense}": (Place.level, str(sense)) for sense in LevelSense}
    of_headings = [f"{facet}.{value}" for facet, values in FACETS.items() for value in values.split()]
    found |= {f"{Place.heading}.{sense}": (Place.heading, sense) for sense in of_headings}
    found |= {f"{Place.subject}.{name}": (Place.subject, name) for name in AssetClass.__members__ if name != "unknown"}
    return MappingProxyType(found)

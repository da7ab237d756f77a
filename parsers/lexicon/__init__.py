r"""What words mean, as data: `*.toml` here; code names kinds of words (`Sense`), and lists none.

Where the words of a kind stand among other things, a pattern names the kind: `{weekday},? \d{1,2}`.
"""

from parsers.lexicon.entries import Entry, entries, phrases, said
from parsers.lexicon.files import WordsBroken
from parsers.lexicon.patterns import compiled, listed, spelled
from parsers.lexicon.senses import Place, Sense

__all__ = ["Entry", "Place", "Sense", "WordsBroken", "compiled", "entries", "listed", "phrases", "said", "spelled"]

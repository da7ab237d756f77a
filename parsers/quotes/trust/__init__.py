"""How far a row is trusted: by what it shows, in whole numbers, which known mails turn into a share of exact rows."""

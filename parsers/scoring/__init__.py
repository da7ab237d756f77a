"""How near the rows of mails come to their truth (spec 7.3 to 7.5)."""

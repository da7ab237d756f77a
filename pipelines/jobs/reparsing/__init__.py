"""Reading records again: at once, or as a shadow first, whose differences are looked at; and taking it back."""

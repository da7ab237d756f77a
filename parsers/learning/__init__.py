"""What a mail and its truth teach of a dealer: the smallest entry of the dealer table by which it reads so."""

"""One copy of a partition as files: record batches in segments, their indexes, epochs; reading them needs no lock."""

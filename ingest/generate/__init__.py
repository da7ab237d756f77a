"""Realistic mails with known truth, out of a seed: for demos, load and tests.

The standard mix: 65 % text runs, 15 % XLSX, 10 % PDF, 5 % HTML, 3 % DOCX, 2 % CSV; 9.2 quotes a mail on average. XLSX,
PDF and DOCX files are drawn from a pool made once a seed; no two mails are byte-equal, and mail n of a seed is the same
however many are asked for.
"""

from ingest.generate.write import generate

__all__ = ["generate"]

"""Somebody is told what is wrong, once, and that it is right again."""

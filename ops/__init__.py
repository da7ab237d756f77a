"""Looking after all of it: is everything in its place, does everything run?"""

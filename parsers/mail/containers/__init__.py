"""Files inside a part: archives, winmail.dat, saved messages, S/MIME; unpacked in memory, within limits."""

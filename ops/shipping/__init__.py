"""Other programs' logs into the topic `ops`: files, systemd's journal, standard input, each line once."""

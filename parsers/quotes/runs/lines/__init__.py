"""What a line is before it is read: noise, the end of the mail, a repetition, a part of a table, somebody speaking."""

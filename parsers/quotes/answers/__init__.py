"""What is asked of each quote, whether a row of a table or a line of a run prints it: one answer for both."""

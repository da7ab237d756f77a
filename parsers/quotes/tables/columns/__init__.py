"""What the headings of a table mean beside each other, and over what they hold."""

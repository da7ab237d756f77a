"""Which words of a PDF page are tables: by lines drawn, by gaps that rows share; and which are running text."""

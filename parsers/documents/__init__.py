"""Part bytes in, `Document` out: one module a format, chosen by content (`sniff`), all of one shape (`read`)."""

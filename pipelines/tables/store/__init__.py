"""Where tables lie: a few verbs over a local folder and over object stores, and what two writers need there."""

"""What is done with whole topics, over the interface."""

"""What an operator does with a whole log: adding, removing and exchanging replicas, looking for lost topics."""

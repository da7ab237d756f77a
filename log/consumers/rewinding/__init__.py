"""Moving a group to other offsets."""

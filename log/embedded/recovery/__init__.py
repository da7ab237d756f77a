"""Copies that went wrong: checked, brought back into sync, elected by command, restored."""

"""A slow, plain implementation of Ancient Duel, used as a test oracle."""

"""Is the engine slower than before, and where does its time go: `duel-sim bench --against`."""

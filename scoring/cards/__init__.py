"""A game's card: its deals recorded and corrected, shown, printed, counted under other rules."""

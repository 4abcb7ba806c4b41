"""The entry form of a card in the hand: touches, the number pad, pictures of melds."""

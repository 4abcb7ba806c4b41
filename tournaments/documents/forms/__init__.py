"""The paper twins of the screens on which something is entered: a sheet with the same questions, filled in by hand and
keyed in afterwards. Who may open a screen gets its twin. What is asked of a form is read from the form itself.

The twin of a card is the blank card (`documents.from_draws.blank_cards`), of the second keying a second card.
"""
